import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { DescriptionPanel } from '@/components/assets/description-panel';
import { exampleOf, setUpFakeService } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import { getAsset, updateAsset } from '@/lib/contract/assets/asset-endpoints';

const service = setUpFakeService();

test('an error of the service is shown at the description, which can be saved again', async () => {
  service().reject(updateAsset, 'invalid', { field: 'description', message: 'has a forbidden word' });
  const asset = exampleOf(getAsset, { description: 'On the lake' });
  const { user } = renderPage(<DescriptionPanel asset={asset} />);
  await user.click(screen.getByRole('button', { name: 'Edit' }));
  const field = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Description' });
  expect(field.value).toBe('On the lake');
  expect(screen.queryByRole('button', { name: 'Save description' })).toBeNull();
  await user.type(field, ' at night ');
  await user.click(screen.getByRole('button', { name: 'Save description' }));
  await screen.findByRole('textbox', { name: 'Description', description: /Has a forbidden word/ });
  service().on(updateAsset, { ...asset, description: 'On the lake at night' });
  await user.click(screen.getByRole('button', { name: 'Save description' }));
  await expect.poll(() => screen.queryByText('Has a forbidden word')).toBeNull();
  expect(service().callsOf(updateAsset).at(-1)?.body).toEqual({ description: 'On the lake at night' });
});
