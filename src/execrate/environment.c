#include "environment.h"

#include <string.h>

/*
 * What a login by SSH gives a shell, less what would be untrue (PWD) or change what a program does (LD_*,
 * HIST*). With another size, runs from before and after could not be compared.
 */
char *const environment[] = {
    "SHELL=/bin/bash",
    "USER=root",
    "LOGNAME=root",
    "HOME=/root",
    "LANG=C.UTF-8",
    "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "TERM=xterm-256color",
    "COLORTERM=truecolor",
    "SHLVL=1",
    "MAIL=/var/mail/root",
    "EDITOR=/usr/bin/vi",
    "PAGER=/usr/bin/less",
    "LESS=-R",
    "LESSOPEN=| /usr/bin/lesspipe %s",
    "LESSCLOSE=/usr/bin/lesspipe %s %s",
    "SSH_CLIENT=192.0.2.10 50022 22",
    "SSH_CONNECTION=192.0.2.10 50022 192.0.2.20 22",
    "SSH_TTY=/dev/pts/0",
    "XDG_SESSION_ID=1",
    "XDG_SESSION_TYPE=tty",
    "XDG_SESSION_CLASS=user",
    "XDG_RUNTIME_DIR=/run/user/0",
    "XDG_DATA_DIRS=/usr/local/share:/usr/share",
    "DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/0/bus",
    "LS_COLORS=rs=0:di=01;34:ln=01;36:mh=00:pi=40;33:so=01;35:do=01;35:bd=40;33;01:cd=40;33;01:"
    "or=40;31;01:mi=00:su=37;41:sg=30;43:ca=00:tw=30;42:ow=34;42:st=37;44:ex=01;32:*.tar=01;31:"
    "*.tgz=01;31:*.zip=01;31:*.gz=01;31:*.xz=01;31:*.zst=01;31:*.bz2=01;31:*.deb=01;31:*.rpm=01;31:"
    "*.jar=01;31:*.cpio=01;31:*.7z=01;31:*.jpg=01;35:*.jpeg=01;35:*.gif=01;35:*.bmp=01;35:*.png=01;35:"
    "*.svg=01;35:*.tif=01;35:*.webm=01;35:*.webp=01;35:*.ogg=00;36:*.mp3=00;36:*.flac=00;36:*.wav=00;36:"
    "*.mp4=01;35:*.mkv=01;35:*.avi=01;35:*.mov=01;35:*.mpg=01;35:*.mpeg=01;35:*.m4v=01;35:*.ogv=01;35:"
    "*.wmv=01;35:*.pcx=01;35:*.ppm=01;35:*.pgm=01;35:*.tga=01;35:*.xpm=01;35:*.aac=00;36:*.m4a=00;36:"
    "*.mid=00;36:*.opus=00;36:*.lz4=01;31:*.lzma=01;31:*.lzo=01;31:*.cab=01;31:*.war=01;31:*.ear=01;31:"
    "*.bak=00;90:*.old=00;90:*.tmp=00;90:*.orig=00;90:*.swp=00;90:",
    NULL,
};

size_t environment_variables(void)
{
    return sizeof(environment) / sizeof(*environment) - 1;
}

size_t environment_bytes(void)
{
    size_t bytes = 0;

    for (size_t i = 0; environment[i]; i++)
        bytes += strlen(environment[i]) + 1;
    return bytes;
}
