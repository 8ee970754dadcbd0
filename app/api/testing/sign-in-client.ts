import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';
import { signInHandler } from '@/lib/http/sessions/sign-in';
import { baseUrl } from './test-api';

/**
 * next-auth reads the headers of the current request through this module of Next. The functions of the module are replaced,
 * so this must be the object that next-auth loads.
 */
const nextHeaders = createRequire(import.meta.url)('next/headers') as {
  headers: () => Promise<Headers>;
  cookies: () => Promise<{ getAll(): { name: string; value: string }[] }>;
};

const requestStorage = new AsyncLocalStorage<{
  headers: Headers;
  pairs: { name: string; value: string }[];
}>();
const requestState = () => requestStorage.getStore() ?? { headers: new Headers(), pairs: [] };
// Plain functions instead of spies: a test file that restores its spies would remove them for later files.
Object.assign(nextHeaders, {
  headers: () => Promise.resolve(requestState().headers),
  cookies: () => Promise.resolve({ getAll: () => requestState().pairs }),
});

/** A browser that signs in and out. It stores cookies and calls the paths of next-auth. */
export class SignInClient {
  private readonly jar = new Map<string, string>();

  /** @param ip client address as noted by the request filter */
  constructor(readonly ip: string = crypto.randomUUID()) {}

  get cookie(): string {
    return [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** The cookies whose name ends with `suffix`, as a Cookie header. */
  cookiesEndingWith(suffix: string): string {
    return [...this.jar]
      .flatMap(([name, value]) => (name.endsWith(suffix) ? [`${name}=${value}`] : []))
      .join('; ');
  }

  setCookie(name: string, value: string): void {
    this.jar.set(name, value);
  }

  /** Deletes the cookies whose name ends with `suffix`. */
  deleteCookies(suffix: string): void {
    for (const name of this.jar.keys()) if (name.endsWith(suffix)) this.jar.delete(name);
  }

  /** @param action path below `/api/auth/`, with its query */
  get(action: string): Promise<Response> {
    return this.send('GET', action);
  }

  /** Posts a form with a CSRF token that is requested first. */
  async post(action: string, form: Readonly<Record<string, string>> = {}): Promise<Response> {
    const { csrfToken } = (await (await this.get('csrf')).json()) as { csrfToken: string };
    return this.send('POST', action, { csrfToken, json: 'true', ...form });
  }

  signIn(credentials: { readonly email: string; readonly password: string }): Promise<Response> {
    const { email, password } = credentials;
    return this.post('callback/credentials', { email, password });
  }

  /** Sends credentials with the CSRF token of an earlier request, so that many guesses can be sent at once. */
  async guess(credentials: { readonly email: string; readonly password: string }): Promise<Response> {
    const { email, password } = credentials;
    // The value of the cookie is `<token>|<hash>`.
    const [csrfToken = ''] = decodeURIComponent(
      this.cookiesEndingWith('csrf-token').split('=').slice(1).join('='),
    ).split('|');
    return this.send('POST', 'callback/credentials', { csrfToken, json: 'true', email, password });
  }

  /** Stores the cookies that a response sets. */
  storeCookies(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split('; ');
      const equalsIndex = pair.indexOf('=');
      const [name, value] = [pair.slice(0, equalsIndex), pair.slice(equalsIndex + 1)];
      const isDeleted = value === '' || attributes.some((attribute) => /^max-age=0$/i.test(attribute));
      if (isDeleted) this.jar.delete(name);
      else this.jar.set(name, value);
    }
  }

  async send(
    method: 'GET' | 'POST',
    action: string,
    form?: Readonly<Record<string, string>>,
  ): Promise<Response> {
    const body = form ? new URLSearchParams(form).toString() : null;
    const headers = new Headers({
      'x-forwarded-for': this.ip,
      host: new URL(baseUrl).host,
      cookie: this.cookie,
      ...(body === null
        ? {}
        : { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(body.length) }),
    });
    const request = new Request(`${baseUrl}/api/auth/${action}`, { method, headers, body });
    const pairs = [...this.jar].map(([name, value]) => ({ name, value: decodeURIComponent(value) }));
    const nextauth = action.split('?', 1)[0]?.split('/');
    const params = Promise.resolve({ nextauth });
    const response = await requestStorage.run({ headers, pairs }, () =>
      signInHandler(Object.assign(request, { nextUrl: new URL(request.url) }), { params }),
    );
    this.storeCookies(response);
    return response;
  }
}
