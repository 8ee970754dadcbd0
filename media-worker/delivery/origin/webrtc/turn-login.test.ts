import { expect, test } from 'vitest';
import type { IceServer } from '@/lib/infra/settings/rtc-settings';
import { withTurnLogins } from './turn-login';

const fixed: IceServer = { url: 'turn:a.example', login: { username: 'live', credential: 'password' } };
const servers: readonly IceServer[] = [
  { url: 'stun:a.example', login: null },
  fixed,
  { url: 'turns:b.example:443?transport=tcp', login: null },
];

test('TURN servers without configured credentials get credentials that are valid for a day', () => {
  expect(withTurnLogins(servers, 'north', 1_433_809_295_500)).toEqual([
    { url: 'stun:a.example', login: null },
    fixed,
    {
      url: 'turns:b.example:443?transport=tcp',
      // printf 1433895695 | openssl dgst -sha1 -hmac north -binary | base64
      login: { username: '1433895695', credential: '+I86P2ZSeIrYqV83wKRtVKXgKSw=' },
    },
  ]);
});

test('without a TURN secret, the ICE servers stay unchanged', () =>
  expect(withTurnLogins([fixed], undefined, 0)).toEqual([fixed]));
