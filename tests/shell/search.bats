#!/usr/bin/env bats
# The search for the highest lossless rate, on a model of a monitor instead of a real one.

load ../rooms

setup() {
  use_rooms base measure
  ROUNDS=
  # The model: lossless up to HOLDS; the load reaches up to REACHES.
  HOLDS=1000000 REACHES=1000000
}

model() {
  ROUNDS+="$1 "
  if (($1 > HOLDS)); then
    search_verdict lossy
  elif (($1 > REACHES)); then
    search_verdict unreached
  else
    search_verdict clean
  fi
}

searched() {
  search_lossless "$@" model
  echo "$ROUNDS"
}

@test "the rate is doubled until events are lost, then the interval is halved to the precision" {
  HOLDS=700
  [ "$(searched 100 100000 5)" = "100 200 400 800 600 700 750 725 " ]
  HOLDS=799
  [ "$(searched 100 100000 1)" = "100 200 400 800 600 700 750 775 787 793 " ]
  [ "$(searched 100 100000 100)" = "100 200 400 800 " ]
}

@test "a rate that the load does not reach ends the search" {
  REACHES=900
  [ "$(searched 100 100000 5)" = "100 200 400 800 1600 " ]
  # Loss beyond what the load reaches: below it, that is all there is to find.
  HOLDS=1400
  [ "$(searched 100 100000 5)" = "100 200 400 800 1600 1200 " ]
}

@test "no round asks for more than the highest rate allowed" {
  [ "$(searched 100 300 5)" = "100 200 300 " ]
  [ "$(searched 100 100 5)" = "100 " ]
}

@test "a first rate that is lossy already is halved" {
  HOLDS=30
  [ "$(searched 100 100000 10)" = "100 50 25 37 31 28 29 " ]
  HOLDS=0
  [[ $(searched 100 100000 5) == "100 50 25 12 6 3 1 " ]]
}

@test "a round of which nothing can be said ends the search" {
  model() {
    ROUNDS+="$1 "
    search_verdict "$( (($1 < 400)) && echo clean || echo failed)"
  }
  [ "$(searched 100 100000 5)" = "100 200 400 " ]
}
