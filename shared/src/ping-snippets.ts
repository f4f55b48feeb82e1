/** How a job reports to a heartbeat monitor, for one way of running it. */
export interface PingSnippet {
  title: string;
  /** Of the text, as Markdown names it. */
  language: 'sh' | 'ini' | 'yaml' | 'powershell';
  /** With `PING_URL` in place of the ping URL, and `/usr/local/bin/backup` of the job. */
  text: string;
}

const CURL = 'curl -fsS -m 10 --retry 5 -o /dev/null';

/** The same in the console and in docs/guides/heartbeats.md. Each repeats a ping that does not get through. */
export const PING_SNIPPETS: readonly PingSnippet[] = [
  {
    title: 'curl',
    language: 'sh',
    text: `${CURL} "PING_URL"`,
  },
  {
    title: 'cron',
    language: 'sh',
    text: `30 2 * * * /usr/local/bin/backup; ${CURL} "PING_URL/$?"`,
  },
  {
    title: 'A script, with its output and how long it took',
    language: 'sh',
    text: `${CURL} "PING_URL/start"
output=$(/usr/local/bin/backup 2>&1); code=$?
printf '%s' "$output" | tail -c 10000 | ${CURL} --data-binary @- "PING_URL/$code"`,
  },
  {
    title: 'systemd, the service of a timer',
    language: 'ini',
    text: `[Service]
Type=oneshot
ExecStart=/usr/local/bin/backup
ExecStopPost=/bin/sh -c 'case "$EXIT_STATUS" in *[!0-9]*) EXIT_STATUS=fail;; esac; ${CURL} "PING_URL/$EXIT_STATUS"'`,
  },
  {
    title: 'GitHub Actions, as the last step',
    language: 'yaml',
    text: `- if: always()
  run: ${CURL} "PING_URL/\${{ job.status == 'success' && '0' || '1' }}"`,
  },
  {
    title: 'Kubernetes CronJob, the command of its container',
    language: 'yaml',
    text: `command: ['/bin/sh', '-c', '/usr/local/bin/backup; ${CURL} "PING_URL/$?"']`,
  },
  {
    title: 'PowerShell',
    language: 'powershell',
    text: `& C:\\Jobs\\backup.ps1; Invoke-RestMethod -Uri "PING_URL/$LASTEXITCODE" -MaximumRetryCount 5 -RetryIntervalSec 2 -TimeoutSec 10`,
  },
];
