// Imported first by every command, so that an old Node.js prints a clear message instead of a syntax error.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `Watchpost needs Node.js 20.19 or later, and this is ${process.versions.node}.\n` +
      'Install a newer one from https://nodejs.org or with your version manager ("nvm install 20"), then try again.\n',
  );
  process.exit(1);
}
