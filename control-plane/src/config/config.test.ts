import { expect } from 'chai';
import { configVariables } from './config-variables.js';
import { configWarnings } from './config-warnings.js';
import { agentUrlOf, ConfigError, readConfig } from './config.js';

const PROVIDER = { OIDC_ISSUER: 'https://id.example', OIDC_AUDIENCE: 'watchpost' };
const DATABASE = { DATABASE_URL: 'postgres://db.example/watchpost' };

describe('The configuration', () => {
  it('listens on loopback while the embedded provider signs people in, wherever the database is', () => {
    expect(readConfig({}).host).to.equal('127.0.0.1');
    expect(readConfig(DATABASE).host).to.equal('127.0.0.1');
    expect(readConfig(DATABASE).oidc).to.equal(null);
  });

  it('listens on loopback while the database is the embedded one', () => {
    expect(readConfig(PROVIDER).host).to.equal('127.0.0.1');
  });

  it('listens everywhere once database and provider are ones of your own', () => {
    expect(readConfig({ ...PROVIDER, ...DATABASE }).host).to.equal('0.0.0.0');
  });

  it('HOST decides where the process listens, whatever else is set', () => {
    expect(readConfig({ ...PROVIDER, HOST: '10.0.0.7' }).host).to.equal('10.0.0.7');
    expect(readConfig({ ...PROVIDER, ...DATABASE, HOST: '127.0.0.1' }).host).to.equal('127.0.0.1');
  });

  it('serves metrics on loopback unless METRICS_HOST names another address', () => {
    expect(readConfig({ ...PROVIDER, ...DATABASE }).metricsHost).to.equal('127.0.0.1');
    expect(readConfig({ ...PROVIDER, ...DATABASE, METRICS_HOST: '0.0.0.0' }).metricsHost).to.equal('0.0.0.0');
    expect(() => readConfig({ METRICS_HOST: 'here', PROBE_DENY_CIDRS: 'there' }))
      .to.throw(ConfigError)
      .with.property('faults')
      .with.length(2);
  });

  it('refuses to show the embedded provider to other machines, before anything is started', () => {
    const refused = (env: Record<string, string>) =>
      expect(() => readConfig(env), JSON.stringify(env)).to.throw(ConfigError);
    refused({ HOST: '0.0.0.0' }).with.property('message').that.includes('HOST is "0.0.0.0"');
    refused({ ...DATABASE, HOST: '10.0.0.7' });
    refused({ HOST: '::', BASE_URL: 'https://watchpost.example' }).with.property('faults').with.length(2);
    expect(readConfig({ HOST: '::1', BASE_URL: 'http://localhost:9000' }).host).to.equal('::1');
  });

  it('takes an empty variable for one that is not set', () => {
    expect(readConfig({ ...DATABASE, HOST: '', OIDC_ISSUER: '' }).host).to.equal('127.0.0.1');
  });

  it('takes keys over plain http from this machine only, whatever a name begins with', () => {
    for (const issuer of [
      'http://127.0.0.1:9000',
      'http://localhost',
      'http://[::1]:9000',
      'http://[::ffff:127.0.0.1]',
    ])
      expect(readConfig({ ...PROVIDER, OIDC_ISSUER: issuer }).oidc?.issuer).to.equal(issuer);
    for (const issuer of ['http://127.evil.example', 'http://127.0.0.1.evil.example', 'http://id.example'])
      expect(() => readConfig({ ...PROVIDER, OIDC_ISSUER: issuer }), issuer).to.throw(ConfigError, 'loopback only');
  });

  it('has recipients of unpaid accounts confirm, or all, and nothing else', () => {
    expect(readConfig({}).recipientVerification).to.equal('unpaid');
    expect(readConfig({ RECIPIENT_VERIFICATION: 'always' }).recipientVerification).to.equal('always');
    expect(() => readConfig({ RECIPIENT_VERIFICATION: 'never' })).to.throw(
      ConfigError,
      'RECIPIENT_VERIFICATION: got "never"; it takes unpaid or always',
    );
  });

  it('takes origins as browsers send them, and not what would match none', () => {
    for (const origins of ['', '*', 'https://app.example', 'https://app.example/,http://localhost:3000'])
      expect(readConfig({ CORS_ORIGINS: origins }).corsOrigins).to.have.length(
        origins === '' ? 0 : origins.split(',').length,
      );
    for (const origins of ['app.example', 'https://app.example/path', 'null', 'ftp://app.example'])
      expect(() => readConfig({ CORS_ORIGINS: origins }), origins).to.throw(ConfigError, 'CORS_ORIGINS');
  });

  it('takes contacts for vulnerabilities that are addresses, and no line breaks', () => {
    const contacts = 'mailto:security@watch.example, https://watch.example/report, tel:+1-201-555-0123';
    expect(readConfig({ SECURITY_CONTACT: contacts }).securityContacts).to.have.length(3);
    expect(readConfig({}).securityContacts).to.deep.equal([]);
    for (const contact of [
      'security@watch.example',
      'http://watch.example',
      'mailto:a',
      'mailto:a@b\nContact: c',
      'https://a/\nb',
    ])
      expect(() => readConfig({ SECURITY_CONTACT: contact }), contact).to.throw(ConfigError, 'SECURITY_CONTACT');
  });

  it('all faults are reported at once: single variables, and contradictions between the others', () => {
    const faults = (env: Record<string, string>): string[] => {
      try {
        readConfig(env);
        return [];
      } catch (error) {
        return (error as ConfigError).faults.map((fault) => fault.split(/[ :]/)[0]!);
      }
    };
    const env = { PORT: 'abc', NODE_ENV: 'production', SMTP_URL: 'smtp://mail.example' };
    expect(faults(env)).to.deep.equal(['PORT', 'MAIL_FROM', 'OIDC_ISSUER', 'ENCRYPTION_KEY']);
    expect(faults({ ...PROVIDER, OIDC_ISSUER: 'id.example' }), 'of two that belong together, one').to.deep.equal([
      'OIDC_ISSUER',
    ]);
  });

  it('names what each variable takes as the rest of its sentence', () => {
    for (const value of ['\u0001 ?', '-1', ',', '1e9', 'http://'])
      for (const variable of Object.keys(configVariables.shape))
        try {
          readConfig({ [variable]: value });
        } catch (error) {
          for (const fault of (error as ConfigError).faults)
            expect(fault).to.not.match(/; it takes (?!IP |CIDR )[A-Z]/);
        }
  });

  it('warns of what would be missed only when it is needed', () => {
    const warnings = (env: Record<string, string>) => configWarnings(readConfig(env)).map((text) => text.split(' ')[0]);
    const ours = { ...PROVIDER, ...DATABASE };
    expect(warnings(ours)).to.deep.equal(['SMTP_URL', 'OIDC_CONSOLE_CLIENT_ID', 'BASE_URL']);
    const mail = { SMTP_URL: 'smtps://mail.example', MAIL_FROM: 'a@b.example', OIDC_CONSOLE_CLIENT_ID: 'console' };
    expect(warnings({ ...ours, ...mail, BASE_URL: 'https://watchpost.example' })).to.deep.equal([]);
    expect(warnings({ ...ours, ...mail, HOST: '127.0.0.1' }), 'reached on this machine').to.deep.equal([]);
    expect(warnings({}), 'somebody tries it out').to.deep.equal([]);
  });

  it('takes ranges and single addresses, and names a list that has something else', () => {
    expect(readConfig({ PROBE_ALLOW_CIDRS: '10.0.0.0/8, ::1' }).probeAllowCidrs).to.deep.equal(['10.0.0.0/8', '::1']);
    for (const cidrs of ['10.0.0.0/33', 'intranet', '10.0.0/8'])
      expect(() => readConfig({ PROBE_ALLOW_CIDRS: cidrs }), cidrs).to.throw(ConfigError, 'PROBE_ALLOW_CIDRS');
  });

  it('names an unusable encryption key without its value, and a base URL with more than scheme, host and port', () => {
    const faults = (env: Record<string, string>): string[] => {
      try {
        readConfig(env);
        return [];
      } catch (error) {
        return [...(error as ConfigError).faults];
      }
    };
    for (const key of ['hunter2', `${'A'.repeat(43)}=,hunter2`]) {
      const [fault, ...others] = faults({ ENCRYPTION_KEY: key });
      expect(others).to.deep.equal([]);
      expect(fault).to.include('ENCRYPTION_KEY').and.include('32 bytes').and.not.include('hunter2');
    }
    expect(readConfig({ ENCRYPTION_KEY: `${'A'.repeat(43)}=,${'0'.repeat(64)}` }).encryptionKey).to.be.a('string');
    for (const BASE_URL of [
      'http://localhost/watchpost',
      'http://localhost/?a',
      'http://a:b@localhost',
      'localhost',
      'ftp://x',
    ])
      expect(faults({ BASE_URL }), BASE_URL)
        .to.have.length(1)
        .and.satisfy(([text]: string[]) => /no path/.test(text!));
    expect(readConfig({ BASE_URL: 'http://localhost:9000/' }).baseUrl).to.equal('http://localhost:9000');
  });

  it('knows what belongs together for mail, SMS and the console', () => {
    expect(() => readConfig({ SMTP_URL: 'smtp://mail.example' })).to.throw(ConfigError, 'MAIL_FROM');
    const sender = (BASE_URL: string) =>
      readConfig({ ...PROVIDER, ...DATABASE, SMTP_URL: 'smtp://mail.example', BASE_URL }).mailFrom;
    expect(sender('https://watchpost.example:8443')).to.equal('Watchpost <watchpost@watchpost.example>');
    expect(sender('http://203.0.113.7')).to.equal('Watchpost <watchpost@[203.0.113.7]>');
    expect(sender('http://[2001:db8::7]:80')).to.equal('Watchpost <watchpost@[IPv6:2001:db8::7]>');
    expect(() => readConfig({ OIDC_CONSOLE_CLIENT_ID: 'console' })).to.throw(ConfigError, 'OIDC_ISSUER');
    expect(() => readConfig({ ...PROVIDER, OIDC_CONSOLE_CLIENT_SECRET: 's' })).to.throw(
      ConfigError,
      'OIDC_CONSOLE_CLIENT_ID',
    );
    expect(() => readConfig({ TWILIO_ACCOUNT_SID: 'AC1' })).to.throw(ConfigError, 'TWILIO_AUTH_TOKEN');
    const all = { TWILIO_ACCOUNT_SID: 'AC1', TWILIO_AUTH_TOKEN: 's3cret', TWILIO_FROM: '+15550100' };
    expect(readConfig(all).twilio).to.deep.equal({
      accountSid: 'AC1',
      authToken: 's3cret',
      from: '+15550100',
      apiUrl: 'https://api.twilio.com',
    });
  });

  it('takes names for a certificate of its own, or files with another one, and not both', () => {
    expect(readConfig({}).grpcTls).to.equal(null);
    expect(readConfig({ GRPC_TLS_HOSTS: 'watchpost.example, 10.0.0.7,::1' }).grpcTls).to.deep.equal({
      hosts: ['watchpost.example', '10.0.0.7', '::1'],
    });
    const files = { GRPC_TLS_CERT_FILE: 'cert.pem', GRPC_TLS_KEY_FILE: 'key.pem' };
    expect(readConfig(files).grpcTls).to.deep.equal({ certFile: 'cert.pem', keyFile: 'key.pem' });
    expect(() => readConfig({ ...files, GRPC_TLS_HOSTS: 'localhost' })).to.throw(ConfigError, 'set one of them');
    for (const hosts of ['https://watchpost.example', 'a b', '*.example', '-x'])
      expect(() => readConfig({ GRPC_TLS_HOSTS: hosts }), hosts).to.throw(ConfigError, 'GRPC_TLS_HOSTS');
  });

  it('names every fault at once, with the variable, and shows no secret', () => {
    try {
      readConfig({ PORT: 'high', RETENTION_RAW_DAYS: '0', DATABASE_URL: 'mysql://root:s3cret@db' });
      expect.fail('accepted');
    } catch (error) {
      expect(error).to.be.instanceOf(ConfigError);
      const { message } = error as ConfigError;
      expect(message).to.include('PORT').and.include('RETENTION_RAW_DAYS').and.include('DATABASE_URL');
      expect(message).not.to.include('s3cret');
    }
  });

  it('names the gateway to agents by the host of the console, or by a name that its certificate has', () => {
    const at = (hosts: string[] | null, baseUrl: string) =>
      agentUrlOf({ grpcPort: 9443, grpcTls: hosts && { hosts } }, baseUrl);
    expect(at(null, 'http://localhost:8080')).to.equal('http://localhost:9443');
    expect(at(['inside', 'watchpost.example'], 'https://watchpost.example')).to.equal('https://watchpost.example:9443');
    expect(at(['agents.example'], 'https://watchpost.example')).to.equal('https://agents.example:9443');
    expect(at(['fd00::1'], 'https://watchpost.example')).to.equal('https://[fd00::1]:9443');
  });
});
