import { setTimeout as sleep } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import type { Logger } from '@/lib/infra/logger';
import { driverErrorMessage } from '@/lib/infra/driver-error';
import type { MailSettings } from './mail-settings';

/** A plain-text email to one recipient. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface Mailer {
  /** @throws Error if the server does not accept the mail within seconds */
  send(mail: Mail): Promise<void>;
  /**
   * Writes and sends a mail after the response of the caller, so that the response time does not reveal whether a mail is
   * sent. A rejected mail is retried; a queued mail is lost when the process ends.
   * @param writeMail creates the mail; null to send nothing
   * @returns false if too many mails are queued
   */
  sendLater(writeMail: () => Promise<Mail | null>): boolean;
  /** Resolves when no mail is queued. */
  waitUntilIdle(): Promise<void>;
}

const MAX_QUEUED_MAILS = 200;
const MAX_CONCURRENT_MAILS = 4;
const timeouts = {
  dnsTimeout: 5_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
};

interface MailerOptions {
  /** Delays in milliseconds before the second and further attempts of a rejected mail. */
  readonly retryDelaysMs?: readonly number[];
}

/**
 * Opens a mailer, which connects once per mail, because mails are rare. Egress rules don't apply to the mail server, because
 * the operator sets its address.
 */
export function openMailer(
  settings: MailSettings,
  log: Pick<Logger, 'warn'>,
  { retryDelaysMs = [5_000, 30_000] }: MailerOptions = {},
): Mailer {
  const transport = createTransport(transportOptions(settings));
  const send = async ({ to, subject, text }: Mail) => {
    // The address is an object, because a text with a comma would be parsed as two recipients.
    await transport.sendMail({ from: settings.mailFrom, to: { name: '', address: to }, subject, text });
  };
  const sendWithRetries = async (mail: Mail) => {
    // After the last attempt, there is no delay.
    for (const delayMs of [...retryDelaysMs, null]) {
      try {
        await send(mail);
        return;
      } catch (error) {
        log.warn({ reason: driverErrorMessage(error) }, 'mail not accepted');
        if (delayMs !== null) await sleep(delayMs, undefined, { ref: false });
      }
    }
  };
  return { send, ...createMailQueue(sendWithRetries, log) };
}

function transportOptions({ smtpUrl }: MailSettings) {
  const { hostname, port, protocol, username, password } = new URL(smtpUrl);
  const auth = { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    ...(port === '' ? {} : { port: Number(port) }),
    secure: protocol === 'smtps:',
    ...(username === '' ? {} : { auth }),
    ...timeouts,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Creates a bounded queue, whose mails are sent four at a time. */
function createMailQueue(
  sendWithRetries: (mail: Mail) => Promise<void>,
  log: Pick<Logger, 'warn'>,
): Pick<Mailer, 'sendLater' | 'waitUntilIdle'> {
  const queuedWriters: (() => Promise<Mail | null>)[] = [];
  const runningSends = new Set<Promise<void>>();
  const startQueued = () => {
    while (runningSends.size < MAX_CONCURRENT_MAILS) {
      const writeMail = queuedWriters.shift();
      if (!writeMail) return;
      const work = writeMail()
        .then((mail) => (mail ? sendWithRetries(mail) : undefined))
        .catch((error: unknown) => log.warn({ err: error }, 'mail not written'))
        .finally(() => {
          runningSends.delete(work);
          startQueued();
        });
      runningSends.add(work);
    }
  };
  return {
    sendLater(writeMail) {
      if (queuedWriters.length >= MAX_QUEUED_MAILS) {
        log.warn({ waiting: queuedWriters.length }, 'mail queue is full; mail not sent');
        return false;
      }
      queuedWriters.push(writeMail);
      // `setImmediate` lets the caller respond first.
      setImmediate(startQueued);
      return true;
    },
    async waitUntilIdle() {
      while (queuedWriters.length > 0 || runningSends.size > 0) {
        startQueued();
        await Promise.all(runningSends);
      }
    },
  };
}
