import { expect, test } from 'vitest';
import { metricsAccess, type MetricsRequest } from './metrics-access';

const localRequest: MetricsRequest = {
  isTokenValid: null,
  isLocal: true,
  host: '127.0.0.1:3000',
  headers: ['host'],
};

test.each<[string, Partial<MetricsRequest>, ReturnType<typeof metricsAccess>]>([
  ['this machine', {}, 'allowed'],
  ['this machine by name', { host: 'localhost:3000' }, 'allowed'],
  ['this machine over IPv6', { host: '[::1]:3000' }, 'allowed'],
  ['another machine', { isLocal: false }, 'hidden'],
  ['another machine with a local Host header', { isLocal: false, host: 'localhost' }, 'hidden'],
  ["a local proxy with the client's address", { headers: ['host', 'x-forwarded-for'] }, 'hidden'],
  ['a local proxy with the forwarded host', { headers: ['host', 'x-forwarded-host'] }, 'hidden'],
  ['a local proxy with its name', { headers: ['via'] }, 'hidden'],
  ['a local proxy with an RFC 7239 header', { headers: ['forwarded'] }, 'hidden'],
  ['a local proxy with the original host', { host: 'video.example.com' }, 'hidden'],
  ['a host name that starts like this machine', { host: 'localhost.example.com' }, 'hidden'],
  ['no host', { host: undefined }, 'hidden'],
  [
    'another machine with the token',
    { isTokenValid: true, isLocal: false, host: 'video.example.com' },
    'allowed',
  ],
  ['a proxy with the token', { isTokenValid: true, headers: ['x-forwarded-for'] }, 'allowed'],
  ['another machine with a wrong token', { isTokenValid: false, isLocal: false }, 'unauthorized'],
  ['this machine with a wrong token', { isTokenValid: false }, 'unauthorized'],
])('the access of %s is $2', (_client, request, access) => {
  expect(metricsAccess({ ...localRequest, ...request })).toBe(access);
});
