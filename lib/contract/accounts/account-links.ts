import { z } from 'zod';
import { defineEndpoint } from '@/lib/contract/define-endpoint';
import { email, password, text } from '@/lib/contract/primitives';

/** Endpoints of the one-time links of the dashboard, which reset a password or change an email address. */

const commonFields = { corsKeyAllowed: false, tag: 'Account', method: 'POST' } as const;
/** Fields of endpoints for visitors without a sign-in session, who must come from a page of this service. */
const visitorEndpoint = { ...commonFields, auth: 'public', ownOriginOnly: true } as const;
const token = text(200, 1).meta({ description: 'The token in the link.' });
const exampleToken = '6e0a4c1e8a434d6e9f0b1c2d3e4f5a6bAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

export const requestPasswordReset = defineEndpoint({
  ...visitorEndpoint,
  id: 'requestPasswordReset',
  path: '/api/dashboard/password-reset/request',
  rateLimit: 'reset-request',
  summary: 'Request a link to reset the password',
  description:
    'Sends the link to the address if it has an account, up to three times per hour. The response is the same for every address. 503 if the server sends no mail (SMTP_URL).',
  body: z.strictObject({ email }),
  status: 204,
  errors: [
    [403, 'The request comes from another website.'],
    [429, 'Too many links were requested; see Retry-After.'],
  ],
  example: { body: { email: 'ada@example.com' } },
});

export const resetPassword = defineEndpoint({
  ...visitorEndpoint,
  id: 'resetPassword',
  path: '/api/dashboard/password-reset',
  rateLimit: 'link',
  remembersDevice: 'link',
  summary: 'Reset the password',
  description:
    'Sets a new password with a link, which works once within one hour, and ends every sign-in session of the account. Failed logins of other people do not lock out the browser that opened the link. The response is the same for every invalid link.',
  body: z.strictObject({ token, password }),
  response: z.object({ email: z.string() }),
  status: 200,
  errors: [
    [403, 'The link is invalid, used or expired.'],
    [429, 'Too many attempts; see Retry-After.'],
  ],
  example: {
    body: { token: exampleToken, password: 'another long pass phrase' },
    response: { email: 'ada@example.com' },
  },
});

export const changeEmail = defineEndpoint({
  ...commonFields,
  auth: 'session',
  role: 'person',
  id: 'changeEmail',
  path: '/api/dashboard/account/email',
  rateLimit: 'password',
  summary: 'Change the email address',
  description:
    'Requires the password. If the server sends mail (SMTP_URL), the address changes when the link sent to the new address is opened; otherwise it changes immediately.',
  body: z.strictObject({ email, password: z.string().max(1000) }),
  response: z.object({
    confirmationSent: z.boolean().meta({ description: 'A link was sent to the new address.' }),
  }),
  status: 200,
  errors: [[409, 'The address cannot be used.']],
  example: {
    body: { email: 'ada.lovelace@example.com', password: 'a long pass phrase' },
    response: { confirmationSent: true },
  },
});

export const confirmEmail = defineEndpoint({
  ...visitorEndpoint,
  id: 'confirmEmail',
  path: '/api/dashboard/email-confirmation',
  rateLimit: 'link',
  summary: 'Confirm an email address',
  description:
    'Changes the address of the account to the one that the link was sent to. The link works once within 24 hours.',
  body: z.strictObject({ token }),
  response: z.object({ email: z.string() }),
  status: 200,
  errors: [
    [403, 'The link is invalid, used or expired.'],
    [409, 'The address is no longer available.'],
    [429, 'Too many attempts; see Retry-After.'],
  ],
  example: { body: { token: exampleToken }, response: { email: 'ada.lovelace@example.com' } },
});

export const accountLinksEndpoints = [
  requestPasswordReset,
  resetPassword,
  changeEmail,
  confirmEmail,
] as const;
