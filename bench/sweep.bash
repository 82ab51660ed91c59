# Runs that take hours, in parts.

# sweep_into FOLDER ARGUMENT...: a whole run in FOLDER. What is there of an earlier call is not measured again. Its report goes to stdout.
sweep_into() {
  local folder=$1
  shift
  if sweep_is_complete "$folder"; then
    return
  elif [[ -f $folder/manifest.json ]]; then
    ./exectax sweep --yes --resume "$folder"
  else
    # Nothing was measured before there was a manifest.
    rm -rf "${folder:?}"
    ./exectax sweep --yes --out "$folder" "$@"
  fi
}

sweep_is_complete() {
  [[ -f $1/manifest.json && $(jq -r .state "$1/manifest.json") == complete ]]
}
