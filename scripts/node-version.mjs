// Imported first by everything that npm starts, so that a wrong version of Node is named instead of
// failing somewhere inside.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 14)) {
  process.stderr.write(
    `Tillbeacon needs Node 24.14 or newer, this is ${process.versions.node}. On Linux (x64, arm64) and Windows "npm ci" brings its own; elsewhere install it first.\n`,
  );
  process.exit(1);
}
