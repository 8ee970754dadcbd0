import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { setUpFakeService } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import { type Brand, getBrand, requestLogoUpload, updateBrand } from '@/lib/contract/accounts/brand';
import { BrandPanel } from './brand-panel';

const service = setUpFakeService();
const defaultBrand: Brand = {
  name: null,
  accent: null,
  link: null,
  logoUrl: null,
  casting: false,
  viewerReports: true,
};
const requestBodies = () =>
  service()
    .callsOf(updateBrand)
    .map(({ body }) => body);

function openPanel() {
  let brand = defaultBrand;
  service().on(getBrand, () => brand);
  service().on(updateBrand, ({ body }) => (brand = { ...brand, ...body }));
  return renderPage(<BrandPanel />);
}

test('the preview follows the input, and only changes can be saved', async () => {
  const { user } = openPanel();
  const nameField = await screen.findByLabelText('Brand name');
  const getSaveButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save changes' });
  expect(getSaveButton().disabled).toBe(true);
  await user.type(nameField, 'River TV');
  within(screen.getByRole('region', { name: 'Preview' })).getByText('River TV');
  await user.click(getSaveButton());
  await screen.findByText('Viewer pages updated');
  expect(requestBodies()).toEqual([{ name: 'River TV', accent: null, link: null }]);
  await expect.poll(() => getSaveButton().disabled).toBe(true);
  await user.clear(nameField);
  await user.click(getSaveButton());
  await expect.poll(requestBodies).toEqual([
    { name: 'River TV', accent: null, link: null },
    { name: null, accent: null, link: null },
  ]);
});

test('the channel name in the preview links to the website, which is sent', async () => {
  const { user } = openPanel();
  await user.type(await screen.findByLabelText('Brand name'), 'River TV');
  await user.type(screen.getByLabelText('Website'), 'https://river.example.com');
  const link = within(screen.getByRole('region', { name: 'Preview' })).getByRole('link', {
    name: 'River TV',
  });
  expect(link.getAttribute('href')).toBe('https://river.example.com');
  expect(link.getAttribute('rel')).toBe('noopener noreferrer');
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  await expect
    .poll(requestBodies)
    .toEqual([{ name: 'River TV', accent: null, link: 'https://river.example.com' }]);
});

test('a rejection is shown at the field, and the input is kept', async () => {
  const { user } = openPanel();
  service().reject(updateBrand, 'invalid', { field: 'name', message: 'is reserved' });
  const nameField = await screen.findByLabelText<HTMLInputElement>('Brand name');
  await user.type(nameField, 'Headwater{Enter}');
  await screen.findByText('Is reserved');
  expect(nameField.value).toBe('Headwater');
});

test('Chromecast is switched on immediately, with a note about privacy', async () => {
  const { user } = openPanel();
  const toggle = await screen.findByRole('switch', { name: 'Offer Chromecast' });
  screen.getByText(/load a script from Google/);
  await user.click(toggle);
  await screen.findByText('Chromecast on');
  expect(requestBodies()).toEqual([{ casting: true }]);
  await expect.poll(() => toggle.getAttribute('aria-checked')).toBe('true');
});

test('a logo that is too large is not sent', async () => {
  const { user } = openPanel();
  const file = new File([new Uint8Array(512 * 1024 + 1)], 'logo.png', { type: 'image/png' });
  await user.upload(await screen.findByLabelText('Logo file'), file);
  await screen.findByText('The file is larger than 512 kB.');
  expect(service().callsOf(requestLogoUpload)).toEqual([]);
});
