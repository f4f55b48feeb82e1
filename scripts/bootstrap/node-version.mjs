// Evaluated before anything else of a command, so that an old Node gets a sentence and no syntax error.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `Watchpost needs Node.js 20.19 or later, and this is ${process.versions.node}.\n` +
      'Install a newer one from https://nodejs.org or with your version manager ("nvm install 20"), then try again.\n',
  );
  process.exit(1);
}
