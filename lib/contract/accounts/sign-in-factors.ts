import { z } from 'zod';
import { defineEndpoint } from '@/lib/contract/define-endpoint';
import { idParams, text, timestamp, uuid, nameText } from '@/lib/contract/primitives';

/** Endpoints of the two-step login of the dashboard: authenticator app, passkeys and recovery codes. */

const commonFields = {
  auth: 'session',
  corsKeyAllowed: false,
  tag: 'Account',
  role: 'person',
  beforeSecondFactor: true,
} as const;
/** Fields of the endpoints that change the factors of an account. They end its sessions in other browsers. */
const factorChange = { ...commonFields, method: 'POST', rateLimit: 'password', keepsSession: true } as const;
/** Fields of the endpoints that require the password and leave the factors as they are. */
const passwordEndpoint = { ...commonFields, method: 'POST', rateLimit: 'password' } as const;
const endsSessionsText = 'Ends every other sign-in session of the account.';

/** Schema of the current password, which may be older than the rules for new passwords. */
const currentPassword = z.string().max(1000);
const code = z.string().max(100).meta({ description: 'The six digits that the authenticator app shows.' });
const base64url = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .regex(/^[\w-]+$/, { error: 'must be base64url' });

const recoveryCodes = z
  .array(z.string())
  .meta({ description: 'Each code replaces the second step once. Codes are shown only in this response.' });
const codesOfFirstFactor = recoveryCodes
  .nullable()
  .meta({ description: 'Recovery codes, if this is the first factor of the account; otherwise null.' });
const exampleCodes = ['abcd-efgh-2345-wxyz'];

const passkey = z
  .object({
    id: uuid,
    name: z.string(),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable(),
  })
  .meta({ id: 'Passkey' });

export type Passkey = z.output<typeof passkey>;

const examplePasskey = {
  id: '2f1d6c3e-8a43-4d6e-9f0b-1c2d3e4f5a6b',
  name: 'Laptop',
  createdAt: 1_767_225_600_000,
  lastUsedAt: null,
};

const factors = z
  .object({
    totp: z
      .object({ createdAt: timestamp })
      .nullable()
      .meta({ description: 'The authenticator app. Null: none is set up.' }),
    passkeys: z.array(passkey),
    recoveryCodesLeft: z.int().meta({ description: 'Number of unused recovery codes.' }),
    passkeyHost: z.string().nullable().meta({
      description: 'Relying party id of passkeys. Null if passkeys do not work with BASE_URL.',
    }),
  })
  .meta({ id: 'SignInFactors' });

export type SignInFactors = z.output<typeof factors>;

export const getSignInFactors = defineEndpoint({
  ...commonFields,
  id: 'getSignInFactors',
  method: 'GET',
  path: '/api/dashboard/account/factors',
  summary: 'Retrieve the factors of two-step login',
  description: 'The authenticator app, the passkeys and the number of unused recovery codes.',
  response: factors,
  status: 200,
  errors: [],
  example: {
    response: {
      totp: { createdAt: 1_767_225_600_000 },
      passkeys: [examplePasskey],
      recoveryCodesLeft: 10,
      passkeyHost: 'live.example.com',
    },
  },
});

export const startTotp = defineEndpoint({
  ...passwordEndpoint,
  id: 'startTotp',
  path: '/api/dashboard/account/totp/start',
  summary: 'Start the setup of an authenticator app',
  description:
    'Requires the password. Returns a new secret; nothing changes until the setup is confirmed with a code of the app.',
  body: z.strictObject({ password: currentPassword }),
  response: z.object({
    secret: z.string().meta({ description: 'Base 32.' }),
    uri: z.string().meta({ description: '`otpauth://` URI, for a QR code.' }),
    setupToken: z.string().meta({ description: 'Confirms the setup within 15 minutes.' }),
  }),
  status: 200,
  errors: [[409, 'The account already has an authenticator app.']],
  example: { body: { password: 'a long pass phrase' } },
});

export const confirmTotp = defineEndpoint({
  ...factorChange,
  id: 'confirmTotp',
  path: '/api/dashboard/account/totp',
  summary: 'Turn on an authenticator app',
  description: `Requires a code of the new app. ${endsSessionsText}`,
  body: z.strictObject({ setupToken: text(1000, 1), code }),
  response: z.object({ recoveryCodes: codesOfFirstFactor }),
  status: 200,
  errors: [[409, 'The account already has an authenticator app.']],
  example: {
    body: { setupToken: 'AbCdEf', code: '123456' },
    response: { recoveryCodes: exampleCodes },
  },
});

export const removeTotp = defineEndpoint({
  ...factorChange,
  id: 'removeTotp',
  path: '/api/dashboard/account/totp/remove',
  summary: 'Turn off the authenticator app',
  description: `Requires the password and a code of the app, or a recovery code. ${endsSessionsText}`,
  body: z.strictObject({ password: currentPassword, code }),
  status: 204,
  errors: [[409, 'The account has no authenticator app.']],
  example: { body: { password: 'a long pass phrase', code: '123456' } },
});

export const createRecoveryCodes = defineEndpoint({
  ...passwordEndpoint,
  id: 'newRecoveryCodes',
  path: '/api/dashboard/account/recovery-codes',
  summary: 'Create new recovery codes',
  description: 'Requires the password. The old codes stop working.',
  body: z.strictObject({ password: currentPassword }),
  response: z.object({ recoveryCodes }),
  status: 200,
  errors: [[409, 'Two-step login is off.']],
  example: { body: { password: 'a long pass phrase' }, response: { recoveryCodes: exampleCodes } },
});

export const createPasskeyOptions = defineEndpoint({
  ...passwordEndpoint,
  id: 'passkeyOptions',
  path: '/api/dashboard/account/passkeys/options',
  summary: 'Start adding a passkey',
  description:
    'Requires the password. Returns `PublicKeyCredentialCreationOptionsJSON` of WebAuthn for the browser; its challenge works once within five minutes.',
  body: z.strictObject({ password: currentPassword }),
  response: z.looseObject({ challenge: z.string() }),
  status: 200,
  errors: [
    [
      409,
      'The account has the maximum number of passkeys, or the address of the server does not support passkeys.',
    ],
  ],
  example: { body: { password: 'a long pass phrase' } },
});

const registration = z
  .object({
    id: base64url(1_400),
    rawId: base64url(1_400),
    type: z.literal('public-key'),
    response: z.object({
      clientDataJSON: base64url(4_000),
      attestationObject: base64url(16_000),
      transports: z.array(text(32)).max(10).exactOptional(),
    }),
    clientExtensionResults: z.object({}).default({}),
  })
  .meta({ description: '`RegistrationResponseJSON` of WebAuthn from the browser.' });

export const addPasskey = defineEndpoint({
  ...factorChange,
  id: 'addPasskey',
  path: '/api/dashboard/account/passkeys',
  summary: 'Add a passkey',
  description: `Stores the passkey that the browser created with the options of this service. At most 20 per account. ${endsSessionsText}`,
  body: z.strictObject({ name: nameText(60), response: registration }),
  response: z.object({ passkey, recoveryCodes: codesOfFirstFactor }),
  status: 201,
  errors: [[409, 'The passkey was already added, or the account has the maximum number of passkeys.']],
  example: {
    body: {
      name: 'Laptop',
      response: {
        id: 'AbCdEf',
        rawId: 'AbCdEf',
        type: 'public-key',
        response: { clientDataJSON: 'AbCdEf', attestationObject: 'AbCdEf' },
        clientExtensionResults: {},
      },
    },
    response: { passkey: examplePasskey, recoveryCodes: null },
  },
});

export const removePasskey = defineEndpoint({
  ...factorChange,
  id: 'removePasskey',
  path: '/api/dashboard/account/passkeys/{id}/remove',
  summary: 'Remove a passkey',
  description: `Requires the password. ${endsSessionsText}`,
  params: idParams,
  body: z.strictObject({ password: currentPassword }),
  status: 204,
  errors: [],
  example: { params: { id: examplePasskey.id }, body: { password: 'a long pass phrase' } },
});

/** The `AuthenticationResponseJSON` of WebAuthn that the sign-in page sends. */
export const passkeyAssertion = z.object({
  id: base64url(1_400),
  rawId: base64url(1_400),
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url(4_000),
    authenticatorData: base64url(4_000),
    signature: base64url(2_000),
    userHandle: base64url(100).exactOptional(),
  }),
  clientExtensionResults: z.object({}).default({}),
});

export type PasskeyAssertion = z.output<typeof passkeyAssertion>;

export const signInFactorsEndpoints = [
  getSignInFactors,
  startTotp,
  confirmTotp,
  removeTotp,
  createRecoveryCodes,
  createPasskeyOptions,
  addPasskey,
  removePasskey,
] as const;
