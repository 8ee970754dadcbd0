import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { Webhook } from 'standardwebhooks';
import { expectAccessible } from './page-checks';
import { createStream, logIn } from './page-actions';

interface ReceivedDelivery {
  readonly headers: Record<string, string>;
  readonly body: string;
}

const receivedDeliveries: ReceivedDelivery[] = [];
let receiverStatus = 200;
let server: Server;
let receiverUrl: string;

test.beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      receivedDeliveries.push({ headers: request.headers as Record<string, string>, body });
      response.writeHead(receiverStatus).end('received');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  receiverUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
});

test.afterAll(() => {
  server.close();
});

test('a person creates a webhook, resends a failed delivery, reveals and rolls the secret, and disables and deletes the webhook', async ({
  page,
}) => {
  const account = await logIn(page);
  await createStream(page, 'Town hall');
  await page.goto('/developers/webhooks');
  await expect(page.getByRole('heading', { name: 'No webhooks yet' })).toBeVisible();

  await page.getByRole('button', { name: 'Create webhook' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Bot');
  await dialog.getByLabel('URL').fill('http://10.0.0.1/hook');
  await dialog.getByRole('combobox', { name: 'Stream: All streams' }).click();
  await page.getByRole('option', { name: 'Town hall' }).click();
  await dialog.getByLabel('Recordings').click();
  await expect(dialog.getByLabel('recording.waiting')).toBeChecked();
  await dialog.getByRole('button', { name: 'Create webhook' }).click();
  await expect(dialog.getByText('Must be a public address')).toBeVisible();
  await dialog.getByLabel('URL').fill(receiverUrl);
  await dialog.getByRole('button', { name: 'Create webhook' }).click();
  await expect(dialog.getByRole('group', { name: 'Secret' })).toHaveText(/^whsec_/);
  await dialog.getByRole('button', { name: 'Open the webhook' }).click();
  await expect(page.getByRole('heading', { name: 'Bot' })).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: 'Town hall' })).toBeVisible();

  receiverStatus = 500;
  await page.getByRole('button', { name: 'Send test event' }).click();
  await dialog.getByLabel('Event').selectOption('recording.ready');
  await expect(dialog.getByLabel('Sample payload', { exact: true })).toContainText('"mp4Url"');
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  const deliveries = page.getByRole('list', { name: 'Deliveries' });
  await expect(deliveries.getByRole('button')).toContainText('recording.ready');
  await expect(deliveries.getByRole('button')).toContainText('Pending');
  await deliveries.getByRole('button').click();
  const attempts = page.getByRole('list', { name: 'Attempts' });
  await expect(attempts).toContainText('The receiver answered 500');
  await expect(attempts).toContainText('webhook-signature');
  await expect(attempts).toContainText('"test": true');
  await expect(page.getByText('Failing', { exact: true })).toBeVisible();

  receiverStatus = 200;
  await page.getByRole('button', { name: 'Resend', exact: true }).click();
  await expect(deliveries.getByRole('button', { expanded: true })).toContainText('Delivered');
  await expect(attempts).toContainText('received');
  await expect(attempts.getByRole('heading', { name: 'Response' }).first()).toBeVisible();

  await page.getByRole('button', { name: 'Actions for Bot' }).click();
  await page.getByRole('menuitem', { name: 'Reveal secret' }).click();
  await dialog.getByLabel('Your password').fill(account.password);
  await dialog.getByRole('button', { name: 'Reveal secret' }).click();
  const secret = (await dialog.getByRole('group', { name: 'Secret' }).textContent()) ?? '';
  await expectAccessible(page, 'secret of a webhook');
  await dialog.getByRole('button', { name: 'Done' }).click();
  for (const { headers, body } of receivedDeliveries) new Webhook(secret).verify(body, headers);

  await page.getByRole('button', { name: 'Actions for Bot' }).click();
  await page.getByRole('menuitem', { name: 'Roll secret' }).click();
  await dialog.getByLabel('Your password').fill(account.password);
  await dialog.getByRole('button', { name: 'Roll secret' }).click();
  await expect(dialog.getByRole('group', { name: 'Secret' })).not.toHaveText(secret);
  const newSecret = (await dialog.getByRole('group', { name: 'Secret' }).textContent()) ?? '';
  await dialog.getByRole('button', { name: 'Done' }).click();
  const countBefore = receivedDeliveries.length;
  await page.getByRole('button', { name: 'Send test event' }).click();
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await expect.poll(() => receivedDeliveries.length).toBeGreaterThan(countBefore);
  // For a day after the change, deliveries are signed with both secrets.
  const { headers, body } = receivedDeliveries.at(-1) ?? { headers: {}, body: '' };
  for (const signingSecret of [secret, newSecret]) new Webhook(signingSecret).verify(body, headers);

  await page.getByRole('button', { name: 'Replay' }).click();
  await expect(page.getByRole('dialog', { name: 'Replay a time range' })).toBeVisible();
  await expectAccessible(page, 'replay');
  await page.keyboard.press('Escape');

  await page.getByRole('switch', { name: 'Deliver events' }).click();
  await expect(page.getByText('Disabled', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send test event' })).toBeDisabled();

  await page.getByRole('button', { name: 'Actions for Bot' }).click();
  await page.getByRole('menuitem', { name: 'Delete webhook' }).click();
  const confirmDialog = page.getByRole('alertdialog');
  await confirmDialog.getByLabel('Type “delete” to confirm').fill('delete');
  await confirmDialog.getByRole('button', { name: 'Delete webhook' }).click();
  await expect(page.getByRole('heading', { name: 'No webhooks yet' })).toBeVisible();
});
