import { expect, test } from 'vitest';
import { metricsAccess, type MetricsRequest } from './metrics-access';

const local: MetricsRequest = { token: null, local: true, host: '127.0.0.1:3000', headers: ['host'] };

test.each<[string, Partial<MetricsRequest>, ReturnType<typeof metricsAccess>]>([
  ['this machine', {}, 'allowed'],
  ['this machine by name', { host: 'localhost:3000' }, 'allowed'],
  ['this machine over IPv6', { host: '[::1]:3000' }, 'allowed'],
  ['another machine', { local: false }, 'hidden'],
  ['another machine that names this one', { local: false, host: 'localhost' }, 'hidden'],
  ['a proxy here that names its client', { headers: ['host', 'x-forwarded-for'] }, 'hidden'],
  ['a proxy here that names the host', { headers: ['host', 'x-forwarded-host'] }, 'hidden'],
  ['a proxy here that names itself', { headers: ['via'] }, 'hidden'],
  ['a proxy here that speaks RFC 7239', { headers: ['forwarded'] }, 'hidden'],
  ['a proxy here that passes the host on', { host: 'video.example.com' }, 'hidden'],
  ['a name that starts like this machine', { host: 'localhost.example.com' }, 'hidden'],
  ['no host', { host: undefined }, 'hidden'],
  ['another machine with the token', { token: true, local: false, host: 'video.example.com' }, 'allowed'],
  ['a proxy with the token', { token: true, headers: ['x-forwarded-for'] }, 'allowed'],
  ['another machine with a wrong token', { token: false, local: false }, 'unauthorized'],
  ['this machine with a wrong token', { token: false }, 'unauthorized'],
])('%s', (_who, request, access) => {
  expect(metricsAccess({ ...local, ...request })).toBe(access);
});
