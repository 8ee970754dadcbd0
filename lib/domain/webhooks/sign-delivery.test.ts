import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { newWebhookSecret } from '@/lib/infra/ids';
import { signatureHeaders } from './sign-delivery';

const id = '6a0c4d52-0f0b-4a53-9c0e-54a2f0d6b7c1';
const body = JSON.stringify({ id, name: 'Übertragung 🎥' });
const secret = newWebhookSecret();
const sign = (secrets: readonly string[], text = body) =>
  signatureHeaders({ id, timestamp: Date.now(), body: text, secrets });

describe('Standard Webhooks', () => {
  test('signatures are accepted by the reference library', () => {
    expect(new Webhook(secret).verify(body, sign([secret]))).toEqual(JSON.parse(body));
  });

  test('both secrets are accepted while the secret is being replaced', () => {
    const [newSecret, previousSecret] = [newWebhookSecret(), secret];
    const headers = sign([newSecret, previousSecret]);
    for (const acceptedSecret of [newSecret, previousSecret])
      expect(() => new Webhook(acceptedSecret).verify(body, headers)).not.toThrow();
    expect(() => new Webhook(newWebhookSecret()).verify(body, headers)).toThrow('No matching signature');
  });

  test.each(['my own secret', 'whsec_not base64', 'whsec_abc', 'whsec_'])(
    'a custom secret is used as the raw key: %s',
    (customSecret) => {
      expect(() =>
        new Webhook(customSecret, { format: 'raw' }).verify(body, sign([customSecret])),
      ).not.toThrow();
    },
  );

  test.each(['id', 'timestamp', 'signature'])('a changed %s or body is rejected', (part) => {
    const headers = sign([secret]);
    const name = `webhook-${part}`;
    const value = part === 'timestamp' ? String(Number(headers[name]) + 1) : `v1,${'A'.repeat(43)}=`;
    expect(() => new Webhook(secret).verify(body, { ...headers, [name]: value })).toThrow();
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow();
  });
});

describe('Livepeer-Signature', () => {
  test('is the timestamp and an HMAC of the body for each secret', () => {
    const secrets = [secret, 'the previous one'];
    const headers = signatureHeaders({ id, timestamp: 1_767_225_600_123, body, secrets });
    const signatures = secrets.map((key) => createHmac('sha256', key).update(body).digest('hex'));
    expect(headers['livepeer-signature']).toBe(`t=1767225600123,v1=${signatures.join(',v1=')}`);
    expect(headers['webhook-timestamp']).toBe('1767225600');
  });
});
