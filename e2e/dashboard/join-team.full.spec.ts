import { expect, test } from '@playwright/test';
import { checkPage } from './page-checks';
import { makeAccount } from '../accounts';
import { fillCredentials, logIn } from './page-actions';

test('a member with the role Viewer sees the streams and settings of the team, and cannot create, change or delete streams or see invitations', async ({
  page,
  browser,
}) => {
  const ownerAccount = await logIn(page);
  await page.goto('/');
  const invitedAccount = await makeAccount();
  await page.getByRole('button', { name: `Account ${ownerAccount.email}` }).click();
  await page.getByRole('menuitem', { name: 'Create team' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Lake TV');
  await page.getByRole('dialog').getByRole('button', { name: 'Create team' }).click();
  await expect(page.getByRole('button', { name: 'Team Lake TV' })).toBeVisible();

  await page.goto('/streams?new=1');
  const createDialog = page.getByRole('dialog');
  await createDialog.getByRole('textbox', { name: 'Name' }).fill('Harbour');
  await createDialog.getByRole('button', { name: 'Create stream' }).click();
  await expect(page).toHaveURL(/\/streams\/[0-9a-f-]{36}/);
  const streamUrl = page.url();

  await page.goto('/settings/team');
  await expect(page.getByRole('region', { name: 'Members' })).toContainText(ownerAccount.email);
  await page.getByRole('button', { name: 'Invite member' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Email' }).fill(invitedAccount.email);
  await dialog.getByRole('button', { name: 'Role: Developer' }).click();
  await page.getByRole('menuitemradio', { name: 'Viewer' }).click();
  await page.keyboard.press('Escape');
  await checkPage(page, 'team-invite');
  await dialog.getByRole('button', { name: 'Create invitation' }).click();
  const link = (await dialog.getByRole('group', { name: 'Invitation link' }).textContent()) ?? '';
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('region', { name: 'Invitations' })).toContainText(invitedAccount.email);
  await checkPage(page, 'team');

  const otherContext = await browser.newContext();
  const guest = await otherContext.newPage();
  await guest.goto(link);
  await checkPage(guest, 'join-visitor');
  await guest.getByRole('link', { name: 'Log in with an existing account' }).click();
  await fillCredentials(guest, invitedAccount);
  await guest.getByRole('button', { name: 'Log in' }).click();
  await guest.getByRole('button', { name: 'Join team' }).click();
  await expect(guest.getByRole('button', { name: 'Team Lake TV' })).toBeVisible();
  await guest.goto('/streams');
  await expect(guest.getByRole('heading', { name: 'Streams' })).toBeVisible();
  await expect(guest.getByRole('button', { name: 'Create stream' })).toBeHidden();
  await guest.getByRole('button', { name: 'Actions for Harbour' }).click();
  await expect(guest.getByRole('menuitem', { name: 'Copy stream ID' })).toBeVisible();
  await expect(guest.getByRole('menuitem', { name: 'Delete stream' })).toBeHidden();
  await guest.goto(`${streamUrl}?tab=settings`);
  await expect(guest.getByText('Your role in this team is Viewer.')).toBeVisible();
  await expect(guest.getByRole('switch', { name: 'Record', exact: true })).toBeDisabled();
  await checkPage(guest, 'stream-viewer');
  await guest.goto('/settings/team');
  await expect(guest.getByRole('region', { name: 'Invitations' })).toBeHidden();
  await checkPage(guest, 'team-viewer');
  await guest.getByRole('button', { name: 'Team Lake TV' }).click();
  await checkPage(guest, 'team-switcher');
  await guest.getByRole('menuitemradio', { name: invitedAccount.email.split('@')[0] ?? '' }).click();
  await guest.goto('/streams');
  await expect(guest.getByRole('button', { name: 'Create stream' })).toBeVisible();
  await otherContext.close();
});
