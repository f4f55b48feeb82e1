import { expect } from 'chai';
import { agentCommands } from './agent-commands.js';

describe('the commands that install an agent', () => {
  it('each have the address and the token, and can be pasted as one', () => {
    const commands = agentCommands('https://watchpost.example:8443', 'wpa_secret');
    expect(commands.map(({ label }) => label)).to.deep.equal(['One file', 'Container', 'systemd']);
    for (const { command } of commands) {
      expect(command).to.contain('https://watchpost.example:8443').and.to.contain('wpa_secret');
      for (const line of command.split('\n').slice(0, -1)) expect(line).to.match(/\\$/);
    }
  });
});
