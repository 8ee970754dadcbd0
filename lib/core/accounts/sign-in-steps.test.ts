import { describe, expect, test } from 'vitest';
import {
  findAcceptedStep,
  counterDidNotRise,
  missingSteps,
  requiresFactorSetup,
  relyingPartyIdOf,
  readTypedCode,
  formatRecoveryCode,
  stepsOfErrorCode,
  errorCodeOfSteps,
  type Factors,
} from './sign-in-steps';

const noFactors: Factors = { hasTotp: false, passkeyCount: 0, recoveryCodeCount: 0 };

test.each<[Parameters<typeof missingSteps>[0], Partial<Factors>, readonly string[]]>([
  ['password', {}, []],
  // Recovery codes of a removed factor don't lock an account out.
  ['password', { recoveryCodeCount: 10 }, []],
  ['password', { hasTotp: true }, ['code']],
  ['password', { hasTotp: true, recoveryCodeCount: 1 }, ['code', 'recovery-code']],
  ['password', { passkeyCount: 1 }, ['passkey']],
  ['password', { passkeyCount: 2, recoveryCodeCount: 10 }, ['passkey', 'recovery-code']],
  [
    'password',
    { hasTotp: true, passkeyCount: 1, recoveryCodeCount: 3 },
    ['code', 'passkey', 'recovery-code'],
  ],
  ['passkey', { hasTotp: true, passkeyCount: 1, recoveryCodeCount: 3 }, []],
  ['issuer', { hasTotp: true, passkeyCount: 1, recoveryCodeCount: 3 }, []],
])('after the first step %s with the factors %o, a sign-in needs %o', (firstStep, factors, expected) => {
  expect(missingSteps(firstStep, { ...noFactors, ...factors })).toEqual(expected);
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
  (requirement, isOperator, isIssuerSession, expected) => {
    expect(requiresFactorSetup({ requirement, isOperator, isIssuerSession })).toBe(expected);
  },
);

describe('error code of the sign-in page', () => {
  test('has the missing steps, and unknown words in it are ignored', () => {
    expect(stepsOfErrorCode(errorCodeOfSteps(['code', 'recovery-code']))).toEqual(['code', 'recovery-code']);
    expect(stepsOfErrorCode('SecondStep passkey <script>')).toEqual(['passkey']);
  });

  test.each(['CredentialsSignin', '', 'code', 'SecondSteps code'])(
    '%j is not an error code with missing steps',
    (errorCode) => {
      expect(stepsOfErrorCode(errorCode)).toBeNull();
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
])('readTypedCode(%j) returns %j', (input, expected) => {
  expect(readTypedCode(input)).toEqual(expected);
});

test('a recovery code is formatted in groups and can be parsed again', () => {
  expect(formatRecoveryCode('abcdefgh2345wxyz')).toBe('abcd-efgh-2345-wxyz');
  expect(readTypedCode(formatRecoveryCode('abcdefgh2345wxyz'))?.value).toBe('abcdefgh2345wxyz');
});

test.each([
  // 90,000 ms is the start of time step 3, 119,999 ms its end.
  [{ nowMs: 90_000, delta: null, lastStep: 0 }, null],
  [{ nowMs: 90_000, delta: 0, lastStep: 2 }, 3],
  [{ nowMs: 119_999, delta: 0, lastStep: 2 }, 3],
  [{ nowMs: 90_000, delta: 0, lastStep: 3 }, null],
  [{ nowMs: 90_000, delta: 1, lastStep: 3 }, 4],
  // After the next step was used, the current step is no longer accepted.
  [{ nowMs: 90_000, delta: 0, lastStep: 4 }, null],
  [{ nowMs: 90_000, delta: -1, lastStep: 1 }, 2],
])('findAcceptedStep(%j) returns %s', (code, expected) => {
  expect(findAcceptedStep(code)).toBe(expected);
});

test.each([
  [0, 0, false],
  [0, 1, false],
  [5, 6, false],
  [5, 5, true],
  [5, 4, true],
  [5, 0, true],
])('a signature counter that changes from %i to %i did not rise: %s', (storedCounter, counter, expected) => {
  expect(counterDidNotRise(storedCounter, counter)).toBe(expected);
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
