import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body, decoded. */
  readonly text: string;
}

export interface MailServer {
  /** Value for SMTP_URL. */
  readonly url: string;
  readonly mails: readonly ReceivedMail[];
  /** Rejects the next `count` mails. */
  reject(count: number): void;
  close(): Promise<void>;
}

const mailUser = { user: 'headwater', password: 'p@ss/word' };

/** Starts an SMTP server on a free port that requires a user name and a password. */
export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  let rejectionsLeft = 0;
  const server = new SMTPServer({
    // The test server has no certificate.
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    logger: false,
    onAuth({ username, password }, _session, callback) {
      if (username === mailUser.user && password === mailUser.password) callback(null, { user: username });
      else callback(new Error('wrong password'));
    },
    onData(stream, { envelope }, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (rejectionsLeft > 0) {
          rejectionsLeft -= 1;
          callback(new Error('try later'));
          return;
        }
        mails.push({
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          to: envelope.rcptTo.map(({ address }) => address),
          text: decode(Buffer.concat(chunks).toString('utf8')),
        });
        callback();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  const { user, password } = mailUser;
  return {
    url: `smtp://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}`,
    mails,
    reject: (count) => void (rejectionsLeft = count),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Decodes quoted-printable text, with its broken lines and encoded characters. */
const decode = (text: string): string =>
  text
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
