import { describe, expect, test } from 'vitest';
import {
  findAcceptedStep,
  counterWentBack,
  missingSteps,
  requiresFactorSetup,
  relyingPartyIdOf,
  readTypedCode,
  formatRecoveryCode,
  stepsOfErrorCode,
  errorCodeOfSteps,
  type Factors,
} from './sign-in-steps';

const noFactors: Factors = { totp: false, passkeys: 0, recoveryCodes: 0 };

test.each<[Parameters<typeof missingSteps>[0], Partial<Factors>, readonly string[]]>([
  ['password', {}, []],
  // Recovery codes of a removed factor don't lock an account out.
  ['password', { recoveryCodes: 10 }, []],
  ['password', { totp: true }, ['code']],
  ['password', { totp: true, recoveryCodes: 1 }, ['code', 'recovery-code']],
  ['password', { passkeys: 1 }, ['passkey']],
  ['password', { passkeys: 2, recoveryCodes: 10 }, ['passkey', 'recovery-code']],
  ['password', { totp: true, passkeys: 1, recoveryCodes: 3 }, ['code', 'passkey', 'recovery-code']],
  ['passkey', { totp: true, passkeys: 1, recoveryCodes: 3 }, []],
  ['issuer', { totp: true, passkeys: 1, recoveryCodes: 3 }, []],
])('after a %s with %o a sign-in needs %o', (first, factors, expected) => {
  expect(missingSteps(first, { ...noFactors, ...factors })).toEqual(expected);
});

test.each([
  ['off', true, false, false],
  ['operators', false, false, false],
  ['operators', true, false, true],
  ['operators', true, true, false],
  ['all', false, false, true],
  ['all', true, false, true],
  ['all', false, true, false],
] as const)(
  'REQUIRE_SECOND_FACTOR=%s, operator: %s, signed in at the issuer: %s: a factor must be set up: %s',
  (required, operator, byIssuer, expected) => {
    expect(requiresFactorSetup({ required, operator, byIssuer })).toBe(expected);
  },
);

describe('error code of the log-in page', () => {
  test('encodes the missing steps', () => {
    expect(stepsOfErrorCode(errorCodeOfSteps(['code', 'recovery-code']))).toEqual(['code', 'recovery-code']);
    expect(stepsOfErrorCode('SecondStep passkey <script>')).toEqual(['passkey']);
  });

  test.each(['CredentialsSignin', '', 'code', 'SecondSteps code'])(
    '%j is not an error code with missing steps',
    (word) => {
      expect(stepsOfErrorCode(word)).toBeNull();
    },
  );
});

test.each<[string, ReturnType<typeof readTypedCode>]>([
  ['123456', { kind: 'code', value: '123456' }],
  [' 123 456 ', { kind: 'code', value: '123456' }],
  ['12345', null],
  ['1234567', null],
  ['١٢٣٤٥٦', null],
  ['ABCD-efgh-2345-wxyz', { kind: 'recovery-code', value: 'abcdefgh2345wxyz' }],
  ['abcdefgh2345wxy', null],
  ['abcdefgh2345wxy1', null],
  ['', null],
  ['x'.repeat(100_000), null],
])('readTypedCode(%j) returns the kind and the value of the code, or null', (input, expected) => {
  expect(readTypedCode(input)).toEqual(expected);
});

test('a recovery code is formatted in groups and can be parsed again', () => {
  expect(formatRecoveryCode('abcdefgh2345wxyz')).toBe('abcd-efgh-2345-wxyz');
  expect(readTypedCode(formatRecoveryCode('abcdefgh2345wxyz'))?.value).toBe('abcdefgh2345wxyz');
});

test.each([
  [{ nowMs: 90_000, delta: null, lastStep: 0 }, null],
  [{ nowMs: 90_000, delta: 0, lastStep: 2 }, 3],
  [{ nowMs: 119_999, delta: 0, lastStep: 2 }, 3],
  [{ nowMs: 90_000, delta: 0, lastStep: 3 }, null],
  [{ nowMs: 90_000, delta: 1, lastStep: 3 }, 4],
  // After the next step was used, the current step is no longer accepted.
  [{ nowMs: 90_000, delta: 0, lastStep: 4 }, null],
  [{ nowMs: 90_000, delta: -1, lastStep: 1 }, 2],
])('acceptedStep(%o) returns %s', (code, expected) => {
  expect(findAcceptedStep(code)).toBe(expected);
});

test.each([
  [0, 0, false],
  [0, 1, false],
  [5, 6, false],
  [5, 5, true],
  [5, 4, true],
  [5, 0, true],
])('a counter that changes from %i to %i went back: %s', (storedCounter, input, expected) => {
  expect(counterWentBack(storedCounter, input)).toBe(expected);
});

test.each([
  ['https://live.example.com', 'live.example.com'],
  ['https://live.example.com:8443', 'live.example.com'],
  ['http://localhost:3000', 'localhost'],
  ['http://video.localhost', 'video.localhost'],
  ['http://live.example.com', null],
  ['https://192.0.2.7', null],
  ['https://[2001:db8::1]', null],
  ['http://127.0.0.1:3000', null],
])('the relying party id for %s is %s', (baseUrl, host) => {
  expect(relyingPartyIdOf(baseUrl)).toBe(host);
});
