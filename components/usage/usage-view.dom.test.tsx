import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { UsageView } from '@/app/(dashboard)/usage/usage-view';
import { exampleOf, setUpFakeService } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import { getUsage } from '@/lib/contract/accounts/usage';
import { getQuotas } from '@/lib/contract/accounts/quotas';

const service = setUpFakeService();

test('a period without video has a text instead of each empty chart', async () => {
  service().onExamples(getQuotas);
  service().on(getUsage, { ...exampleOf(getUsage), days: [], streams: [] });
  const { user } = renderPage(<UsageView />, { at: '/usage' });
  await screen.findByText('No video was received in this period.');
  await user.click(screen.getByRole('tab', { name: 'Delivered' }));
  expect(await screen.findByText('No video was delivered in this period.')).toBeTruthy();
});
