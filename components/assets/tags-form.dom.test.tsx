import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { exampleOf, setUpFakeService } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import { getAsset, updateAsset } from '@/lib/contract/assets/asset-endpoints';
import { TagsForm } from './tags-form';

const service = setUpFakeService();
const asset = { ...exampleOf(getAsset), tags: ['dawn', 'river'] };

test('tags are separated by commas, and saved in lower case without duplicates', async () => {
  service().on(updateAsset, asset);
  const { user } = renderPage(<TagsForm asset={asset} />);
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Tags' });
  const saveButton = () => screen.queryByRole('button', { name: 'Save tags' });
  expect(field.value).toBe('dawn, river');
  const enterTags = (value: string) => fireEvent.change(field, { target: { value } });
  enterTags(' Dawn,river ,');
  expect(saveButton()).toBeNull();
  enterTags('River, The Sea, river,');
  await user.click(await screen.findByRole('button', { name: 'Save tags' }));
  await screen.findByText('Tags saved');
  expect(service().callsOf(updateAsset)).toMatchObject([{ body: { tags: ['river', 'the sea'] } }]);
});

test('an error of the service is shown', async () => {
  service().reject(updateAsset, 'invalid', { field: 'tags[0]', message: 'must have at most 50 characters' });
  const { user } = renderPage(<TagsForm asset={asset} />);
  fireEvent.change(screen.getByRole('textbox', { name: 'Tags' }), { target: { value: 'x'.repeat(51) } });
  await user.click(await screen.findByRole('button', { name: 'Save tags' }));
  await screen.findByText(/at most 50 characters/);
});
