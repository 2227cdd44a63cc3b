/** Where keys and credentials are kept: hidden from a confined command unless its hook says otherwise. */
export const SECRET_PLACES = [
    ...['~/.ssh', '~/.gnupg', '~/.password-store', '~/.local/share/keyrings', '~/Library/Keychains'],
    ...['~/.aws', '~/.azure', '~/.config/gcloud', '~/.kube', '~/.oci', '~/.terraform.d/credentials.tfrc.json'],
    ...['~/.netrc', '~/.git-credentials', '~/.config/git/credentials', '~/.config/gh', '~/.config/glab-cli'],
    ...['~/.pgpass', '~/.my.cnf', '~/.pypirc', '~/.docker/config.json', '~/.vault-token'],
    ...['~/.local/state/crosshook/keys'],
    ...['~/.mozilla', '~/.config/google-chrome', '~/.config/chromium', '~/.config/BraveSoftware'],
    ...['~/Library/Application Support/Google/Chrome', '~/Library/Application Support/Firefox'],
    ...['/etc/shadow', '/etc/gshadow', '/etc/sudoers', '/etc/sudoers.d', '/etc/ssl/private', '/etc/ssh'],
];
