import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { openMailer } from './mailer';
import { startMailServer } from '../testing/mail-server';

const server = await startMailServer();
afterAll(() => server.close());

const warnings: string[] = [];
const log = { warn: (_: object, message: string) => void warnings.push(message) };
const settings = { smtpUrl: server.url, mailFrom: 'Headwater <service@example.com>' };
const mailer = openMailer(settings, log as never, { retryDelaysMs: [1, 1] });
const mail = {
  to: 'ada@example.com',
  subject: 'Reset your password',
  text: 'Öffnen: https://example.com/#x=1\n',
};

beforeEach(() => {
  warnings.length = 0;
  (server.mails as unknown[]).length = 0;
});

test('send delivers a mail', async () => {
  await mailer.send(mail);
  expect(server.mails).toMatchObject([{ from: 'service@example.com', to: ['ada@example.com'] }]);
  expect(server.mails[0]?.text).toContain('https://example.com/#x=1');
  expect(server.mails[0]?.text).toMatch(/^From: Headwater <service@example\.com>\r$/m);
});

test('a recipient address cannot add a header or another recipient', async () => {
  await mailer.send({ ...mail, to: 'ada@example.com,eve@example.com' }).catch(() => undefined);
  await mailer.send({ ...mail, to: 'ada@example.com\r\nBcc: eve@example.com' }).catch(() => undefined);
  expect(server.mails.flatMap(({ to }) => to)).not.toContain('eve@example.com');
});

test('send rejects if the server is down or rejects the password', async () => {
  const wrongPasswordSettings = { ...settings, smtpUrl: server.url.replace('headwater', 'eve') };
  await expect(openMailer(wrongPasswordSettings, log as never).send(mail)).rejects.toThrow(/wrong password/i);
  const stoppedServer = await startMailServer();
  await stoppedServer.close();
  await expect(
    openMailer({ ...settings, smtpUrl: stoppedServer.url }, log as never).send(mail),
  ).rejects.toThrow();
});

describe('sendLater', () => {
  test('returns before the mail is written', async () => {
    let isWritten = false;
    expect(
      mailer.sendLater(() => {
        isWritten = true;
        return Promise.resolve(mail);
      }),
    ).toBe(true);
    expect(isWritten).toBe(false);
    await mailer.waitUntilIdle();
    expect(server.mails).toHaveLength(1);
  });

  test('makes at most three attempts', async () => {
    server.reject(2);
    mailer.sendLater(() => Promise.resolve(mail));
    await mailer.waitUntilIdle();
    expect([server.mails.length, warnings]).toEqual([1, ['mail not accepted', 'mail not accepted']]);
    server.reject(3);
    mailer.sendLater(() => Promise.resolve(mail));
    await mailer.waitUntilIdle();
    expect([server.mails.length, warnings.length]).toEqual([1, 5]);
  });

  test('sends the other mails if one cannot be written', async () => {
    mailer.sendLater(() => Promise.reject(new Error('database')));
    mailer.sendLater(() => Promise.resolve(null));
    mailer.sendLater(() => Promise.resolve(mail));
    await mailer.waitUntilIdle();
    expect([server.mails.length, warnings]).toEqual([1, ['mail not written']]);
  });

  test('returns false for further mails while 200 are queued', async () => {
    const results = Array.from({ length: 250 }, () => mailer.sendLater(() => Promise.resolve(null)));
    expect(results.filter(Boolean)).toHaveLength(200);
    await mailer.waitUntilIdle();
    expect(mailer.sendLater(() => Promise.resolve(null))).toBe(true);
    await mailer.waitUntilIdle();
  });
});
