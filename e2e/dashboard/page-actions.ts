import { expect, type Page } from '@playwright/test';
import { makeAccount, newCredentials, type Credentials } from '../accounts';

export async function fillCredentials(page: Page, { email, password }: Credentials): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
}

/** Signs up on the page for sign-up, and ends on the home page. One IP address may sign up ten times an hour. */
export async function signUp(page: Page, account: Credentials = newCredentials()): Promise<Credentials> {
  await page.goto('/signup');
  await fillCredentials(page, account);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page).toHaveURL('/');
  return account;
}

/**
 * Creates an account and logs in with the request of the sign-in form (log-in.spec.ts tests the form). Ends on a response that
 * is cheap to render, because most tests then open their own page.
 */
export async function logIn(page: Page, credentials?: Credentials): Promise<Credentials & { id: string }> {
  const account = await makeAccount(credentials);
  await openSignInSession(page, account);
  return account;
}

/** Logs in as an operator. Several test files share this account, and the first test that needs it creates it. */
export async function logInAsOperator(page: Page): Promise<void> {
  const [email = ''] = (process.env.OPERATOR_EMAILS ?? '').split(',');
  const operator = { ...newCredentials(), email };
  await makeAccount(operator).catch((error: unknown) => {
    if (!String(error).includes('already has an account')) throw error;
  });
  await openSignInSession(page, operator);
}

/** Logs out with the menu of a dashboard page, which then shows the sign-in form. */
export async function logOut(page: Page, { email }: Pick<Credentials, 'email'>): Promise<void> {
  const item = page.getByRole('menuitem', { name: 'Log out' });
  // On a busy machine the button may appear before its script is loaded.
  await expect(async () => {
    await page.getByRole('button', { name: `Account ${email}` }).click();
    await expect(item).toBeVisible({ timeout: 5_000 });
  }).toPass();
  await item.click();
  await expect(page).toHaveURL('/login');
}

async function openSignInSession(page: Page, account: Credentials): Promise<void> {
  const csrfResponse = await page.request.get('/api/auth/csrf');
  const { csrfToken } = (await csrfResponse.json()) as { csrfToken: string };
  const { origin } = new URL(csrfResponse.url());
  const response = await page.request.post('/api/auth/callback/credentials', {
    form: { csrfToken, email: account.email, password: account.password, json: 'true' },
    headers: { origin },
  });
  expect(response.status()).toBe(200);
  await page.goto('/api/healthz');
}

interface CreatedStream {
  id: string;
  name: string;
  playbackId: string;
  streamKey: string;
}

/** Creates a stream through the API with the sign-in session of the page. */
export async function createStream(page: Page, name: string, fields: object = {}): Promise<CreatedStream> {
  const { origin } = new URL(page.url());
  const response = await page.request.post('/api/stream', {
    data: { name, ...fields },
    headers: { origin },
  });
  expect(response.status()).toBe(201);
  return (await response.json()) as CreatedStream;
}

/**
 * Creates a webhook through the API with the sign-in session of the page, and sends a test event to it.
 * @returns the id of the webhook
 */
export async function createWebhook(page: Page, name: string): Promise<string> {
  const { origin } = new URL(page.url());
  const headers = { origin };
  // No host has this name, so every attempt fails.
  const data = { name, url: 'https://hooks.invalid/headwater', events: ['stream.started', 'stream.idle'] };
  const response = await page.request.post('/api/webhook', { data, headers });
  expect(response.status()).toBe(201);
  const { id } = (await response.json()) as { id: string };
  const testResponse = await page.request.post(`/api/dashboard/webhooks/${id}/test`, {
    data: { event: 'stream.started' },
    headers,
  });
  expect(testResponse.status()).toBe(200);
  return id;
}

/** Starts or stops the test pattern through the API with the sign-in session of the page. */
export async function setTestPattern(page: Page, id: string, running: boolean): Promise<void> {
  const { origin } = new URL(page.url());
  const response = await page.request.put(`/api/dashboard/streams/${id}/test-pattern`, {
    data: { running },
    headers: { origin },
  });
  expect(response.status()).toBe(204);
}

/** Starts the test pattern on the page of a stream: with its button, or with the menu if the account has sent video before. */
export async function sendTestPattern(page: Page): Promise<void> {
  const button = page
    .getByRole('main')
    .getByRole('button', { name: /^(Send test pattern$|Actions for )/ })
    .first();
  await button.click();
  const item = page.getByRole('menuitem', { name: 'Send test pattern' });
  const stop = page.getByRole('button', { name: 'Stop test pattern' });
  await expect(item.or(stop)).toBeVisible();
  if (await item.isVisible()) await item.click();
}

/** Expects playback: the player has the phase `playing`, and the time of the video advances. */
export async function expectPlaying(page: Page, timeoutMs?: number): Promise<void> {
  await expect(page.locator('[data-phase]')).toHaveAttribute(
    'data-phase',
    'playing',
    timeoutMs === undefined ? {} : { timeout: timeoutMs },
  );
  const readState = () =>
    page
      .locator('video')
      .evaluate(({ currentTime, ended }: HTMLVideoElement) => ({ time: currentTime, ended }));
  const stateBefore = await readState();
  // A recording of a few seconds may end between two reads.
  const isPlaying = async () => {
    const { time, ended } = await readState();
    return time > stateBefore.time + 1 || (ended && time > 1);
  };
  await expect.poll(isPlaying).toBe(true);
}

/**
 * Clicks a control of the player. The mouse moves over the picture first, because controls hide while the mouse does not
 * move. If the control is not visible, the settings are opened, which contain it in a narrow player.
 */
export async function clickControl(page: Page, name: string): Promise<void> {
  const control = page.getByRole('button', { name, exact: true });
  const settings = page.getByRole('button', { name: 'Settings', exact: true });
  // The mouse moves between two places, at 0.6 and 0.3 of the width.
  let fraction = 0.3;
  await expect(async () => {
    const box = await page.locator('video').boundingBox();
    fraction = 0.9 - fraction;
    if (box) await page.mouse.move(box.x + box.width * fraction, box.y + box.height / 3);
    if (!(await control.isVisible())) await settings.click({ timeout: 2_000 });
    await control.click({ timeout: 2_000 });
  }).toPass();
}
