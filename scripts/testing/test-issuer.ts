import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

const client = { id: 'headwater', secret: 'only for tests' };

export interface TestIssuer {
  /** Settings of a service that lets people sign in at this issuer. */
  readonly settings: Readonly<Record<string, string>>;
  stop(): void;
}

/**
 * Starts an OpenID Connect provider on loopback. Its log-in page accepts any name with any password; the name is the verified
 * email address of the person.
 * @param baseUrl BASE_URL of the service
 */
export async function startTestIssuer(baseUrl: string): Promise<TestIssuer> {
  let requestListener: RequestListener = (_, response) => response.end();
  const server = createServer((request, response) => requestListener(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  requestListener = createProvider(issuer, `${baseUrl}/api/auth/callback/oidc`).callback();
  return {
    settings: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: client.id,
      OIDC_CLIENT_SECRET: client.secret,
      OIDC_NAME: 'Lake ID',
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const createProvider = (issuer: string, redirectUri: string) =>
  new Provider(issuer, {
    clients: [{ client_id: client.id, client_secret: client.secret, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    cookies: { keys: ['test'] },
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({ sub: id, email: id, email_verified: true }),
    }),
    // Skips the consent page.
    loadExistingGrant: async (ctx) => {
      const accountId = ctx.oidc.session?.accountId;
      const clientId = ctx.oidc.client?.clientId;
      const grant = new ctx.oidc.provider.Grant({
        ...(accountId && { accountId }),
        ...(clientId && { clientId }),
      });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
  });
