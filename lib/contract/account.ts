import { z } from 'zod';
import { defineEndpoint } from './define-endpoint';
import { email, password } from './primitives';

export const credentials = z.strictObject({ email, password });

/** Sign-up. The answer is the same whether or not the email address is registered. */
export const signUp = defineEndpoint({
  id: 'signUp',
  method: 'POST',
  path: '/api/dashboard/accounts',
  auth: 'public',
  corsKeyAllowed: false,
  ownOriginOnly: true,
  limit: 'sign-up',
  tag: 'Account',
  summary: 'Sign up',
  description:
    'Creates an account. The answer is the same if the email address is already registered; that account keeps its password. 403 if the operator closed sign-up (SIGN_UP).',
  body: credentials,
  response: z.object({ email: z.string() }),
  status: 201,
  errors: [403, 429],
  example: {
    body: { email: 'ada@example.com', password: 'a long pass phrase' },
    response: { email: 'ada@example.com' },
  },
});
