namespace daedal::init {}
