import { expect, type Page } from '@playwright/test';
import { makeAccount, newPerson, type Person } from '../accounts';

export async function fillCredentials(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
}

/** Signs up through the page, which one address may do ten times an hour. Ends on the home page. */
export async function signUp(page: Page, person: Person = newPerson()): Promise<Person> {
  await page.goto('/signup');
  await fillCredentials(page, person);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page).toHaveURL('/');
  return person;
}

/**
 * Logs in to a new account like the form does (log-in.spec.ts). Ends on a response that is cheap to render, because most
 * tests open their own page next.
 */
export async function logIn(page: Page, existingPerson?: Person): Promise<Person & { id: string }> {
  const person = await makeAccount(existingPerson);
  await openSession(page, person);
  return person;
}

/** Logs in as an operator. Several files of tests share the account: the first one creates it. */
export async function logInAsOperator(page: Page): Promise<void> {
  const [email = ''] = (process.env.OPERATOR_EMAILS ?? '').split(',');
  const operator = { ...newPerson(), email };
  await makeAccount(operator).catch((error: unknown) => {
    if (!String(error).includes('already has an account')) throw error;
  });
  await openSession(page, operator);
}

/** Ends the session like the menu of a dashboard page, and shows the log-in form. */
export async function logOut(page: Page, { email }: Pick<Person, 'email'>): Promise<void> {
  const item = page.getByRole('menuitem', { name: 'Log out' });
  // On a busy machine the button may appear before its script is loaded.
  await expect(async () => {
    await page.getByRole('button', { name: `Account ${email}` }).click();
    await expect(item).toBeVisible({ timeout: 5_000 });
  }).toPass();
  await item.click();
  await expect(page).toHaveURL('/login');
}

async function openSession(page: Page, person: Person): Promise<void> {
  const answer = await page.request.get('/api/auth/csrf');
  const { csrfToken } = (await answer.json()) as { csrfToken: string };
  const { origin } = new URL(answer.url());
  const response = await page.request.post('/api/auth/callback/credentials', {
    form: { csrfToken, email: person.email, password: person.password, json: 'true' },
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

/** Creates a stream through the API with the session of the page. */
export async function createStream(page: Page, name: string, more: object = {}): Promise<CreatedStream> {
  const { origin } = new URL(page.url());
  const response = await page.request.post('/api/stream', {
    data: { name, ...more },
    headers: { origin },
  });
  expect(response.status()).toBe(201);
  return (await response.json()) as CreatedStream;
}

/** Creates a webhook through the API with the session of the page, and sends it a test event. @returns its id */
export async function createWebhook(page: Page, name: string): Promise<string> {
  const { origin } = new URL(page.url());
  const headers = { origin };
  // No account has this name, so every attempt fails.
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

/** Switches the built-in test pattern through the API with the session of the page. */
export async function setTestPattern(page: Page, id: string, running: boolean): Promise<void> {
  const { origin } = new URL(page.url());
  const response = await page.request.put(`/api/dashboard/streams/${id}/test-pattern`, {
    data: { running },
    headers: { origin },
  });
  expect(response.status()).toBe(204);
}

/**
 * Sends the test pattern to the stream of the page: with its button, or with its menu if the account has sent video before.
 */
export async function sendTestPattern(page: Page): Promise<void> {
  const action = page.getByRole('main').getByRole('button', { name: /^(Send test pattern$|Actions for )/ });
  await action.click();
  const item = page.getByRole('menuitem', { name: 'Send test pattern' });
  const stop = page.getByRole('button', { name: 'Stop test pattern' });
  await expect(item.or(stop)).toBeVisible();
  if (await item.isVisible()) await item.click();
}

/** Expects playback: the player shows its playing state and the time of the video advances. */
export async function expectPlaying(page: Page, timeout?: number): Promise<void> {
  await expect(page.locator('[data-phase]')).toHaveAttribute(
    'data-phase',
    'playing',
    timeout === undefined ? {} : { timeout },
  );
  const readState = () =>
    page
      .locator('video')
      .evaluate(({ currentTime, ended }: HTMLVideoElement) => ({ time: currentTime, ended }));
  const stateBefore = await readState();
  // A recording of a few seconds may end between two reads.
  const goesOn = async () => {
    const { time, ended } = await readState();
    return time > stateBefore.time + 1 || (ended && time > 1);
  };
  await expect.poll(goesOn).toBe(true);
}

/**
 * Moves the mouse over the picture before the click, because controls hide while the mouse rests. In a narrow player the
 * control is in the settings.
 */
export async function clickControl(page: Page, name: string): Promise<void> {
  const control = page.getByRole('button', { name, exact: true });
  const settings = page.getByRole('button', { name: 'Settings', exact: true });
  let share = 0.3;
  await expect(async () => {
    const box = await page.locator('video').boundingBox();
    share = 0.9 - share;
    if (box) await page.mouse.move(box.x + box.width * share, box.y + box.height / 3);
    if (!(await control.isVisible())) await settings.click({ timeout: 2_000 });
    await control.click({ timeout: 2_000 });
  }).toPass();
}
