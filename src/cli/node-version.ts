/** Imported before everything else: an older Node would fail on what follows, with a sentence that helps nobody. */

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `crosshook needs Node 22.18 or later; this is ${process.versions.node}. Install a newer Node.\n`,
  )
  process.exit(1)
}
