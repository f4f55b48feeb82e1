/** One command for each way to install an agent with its token. @param url of the port for agents */
export function agentCommands(url: string, token: string): { label: string; command: string }[] {
  return [
    {
      label: 'One file',
      command: `CONTROL_PLANE_URL=${url} AGENT_TOKEN=${token} DATA_DIR=./agent-data ./watchpost-agent-linux-x64`,
    },
    {
      label: 'Container',
      command: [
        'docker run -d --name watchpost-agent --restart unless-stopped --stop-timeout 25',
        '--read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges',
        '-v watchpost-agent:/var/lib/watchpost-agent',
        `-e CONTROL_PLANE_URL=${url} -e AGENT_TOKEN=${token} watchpost-agent`,
      ].join(' \\\n  '),
    },
    {
      label: 'systemd',
      command: [
        'install -D -m 755 watchpost-agent-linux-x64 /opt/watchpost/watchpost-agent',
        'install -d /etc/watchpost',
        `echo 'CONTROL_PLANE_URL=${url}' > /etc/watchpost/agent.env`,
        `(umask 077; echo '${token}' > /etc/watchpost/agent.token)`,
        'cp watchpost-agent.service /etc/systemd/system/',
        'systemctl enable --now watchpost-agent',
      ].join(' && \\\n  '),
    },
  ];
}
