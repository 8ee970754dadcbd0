import { z } from 'zod';
import { areSet, withoutPrefix } from './names';
import { httpUrl, commaSeparatedList, type Values } from './variable-types';

const mailDomain = z
  .string()
  .toLowerCase()
  .regex(/^[a-z\d-]+(\.[a-z\d-]+)*$/, {
    error: 'domains of email addresses separated by commas, for example example.com',
  });

/** An OpenID Connect provider for sign-in. */
export const oidcVariables = {
  OIDC_ISSUER: httpUrl
    .optional()
    .describe('URL of an OpenID Connect provider for [single sign-on](#single-sign-on)'),
  OIDC_CLIENT_ID: z.string().min(1).max(500).optional().describe('required with `OIDC_ISSUER`'),
  OIDC_CLIENT_SECRET: z.string().min(1).max(2_000).optional().describe('required with `OIDC_ISSUER`'),
  OIDC_ALLOWED_DOMAINS: commaSeparatedList(z.array(mailDomain))
    .default([])
    .describe(
      'domains of email addresses, comma-separated: only people with these domains can sign in with single sign-on, and they get accounts whatever `SIGN_UP` is. Without it: every address',
    ),
  OIDC_NAME: z.string().min(1).max(60).optional().meta({
    defaultText: 'host of `OIDC_ISSUER`',
    description: 'name of the provider on the button of the login page',
  }),
};

type OidcVariables = Values<typeof oidcVariables>;
export type OidcSettings = NonNullable<ReturnType<typeof oidcSettings>>;

export const oidcDefaults = ({ OIDC_ISSUER: issuer, OIDC_NAME: name }: OidcVariables) => ({
  OIDC_NAME: name ?? (issuer === undefined ? undefined : new URL(issuer).hostname),
});

/** Undefined if sign-in uses passwords only. */
export const oidcSettings = (values: OidcVariables) =>
  areSet(values, ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_NAME'])
    ? withoutPrefix(values, 'OIDC_')
    : undefined;
