namespace daedal::integrate {}
