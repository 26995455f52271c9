model M "Länge"
end M;
