import { useMutation } from '@tanstack/react-query';
import { cleanup, screen } from '@testing-library/react';
import { useWatch } from 'react-hook-form';
import { afterEach, expect, test } from 'vitest';
import { renderPage } from '@/components/testing/render-page';
import { ApiCallError } from '@/lib/client/call';
import type { Issue } from '@/lib/core/errors';
import { Field, Input } from './field';
import { MutationForm } from './mutation-form';
import { useMutationForm } from './use-mutation-form';

interface Values {
  name: string;
  secret: string;
}

function TargetForm({ send }: { send: (values: Values) => Promise<void> }) {
  const mutation = useMutation({ mutationFn: send });
  const form = useMutationForm({
    mutation,
    fields: { name: 'name', secret: 'spec.url' },
    defaultValues: { name: '', secret: '' },
  });
  const name = useWatch({ control: form.control, name: 'name' });
  return (
    <MutationForm
      form={form}
      submitLabel="Save"
      canSubmit={name !== ''}
      onSubmit={(values) => mutation.mutate(values)}
    >
      <Field label="Name" error={form.errorOf('name')}>
        {(field) => <Input {...field} {...form.register('name')} />}
      </Field>
      <Field label="Secret" error={form.errorOf('secret')}>
        {(field) => (
          <Input
            {...field}
            {...form.register('secret', { validate: (text) => text !== 'x' || 'Too short' })}
          />
        )}
      </Field>
    </MutationForm>
  );
}

afterEach(cleanup);

/** A `send` that fails with issues of the service. */
const rejectWith =
  (...issues: Issue[]) =>
  () =>
    Promise.reject(new ApiCallError(422, issues));
const getField = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
const getSaveButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });

test('an issue of the service is shown at its form field, which gets the focus', async () => {
  const { user } = renderPage(
    <TargetForm
      send={rejectWith(
        { field: 'spec.url[0]', message: 'must name a port' },
        { field: 'spec', message: 'is used' },
      )}
    />,
  );
  await user.type(getField('Name'), 'Stage{Enter}');
  await screen.findByRole('textbox', { name: 'Secret', description: 'Must name a port' });
  expect([getField('Name'), getField('Secret')].map((input) => input.getAttribute('aria-invalid'))).toEqual([
    'false',
    'true',
  ]);
  await expect.poll(() => document.activeElement).toBe(getField('Secret'));
  screen.getByText('Spec: is used');
});

test('invalid values are not sent, and the invalid field gets the focus', async () => {
  const sentValues: Values[] = [];
  const { user } = renderPage(
    <TargetForm send={(values) => Promise.resolve(void sentValues.push(values))} />,
  );
  await user.type(getField('Secret'), 'x');
  await user.type(getField('Name'), 'Stage{Enter}');
  await screen.findByRole('textbox', { name: 'Secret', description: 'Too short' });
  await expect.poll(() => document.activeElement).toBe(getField('Secret'));
  await user.type(getField('Secret'), 'yz{Enter}');
  await expect.poll(() => sentValues).toEqual([{ name: 'Stage', secret: 'xyz' }]);
});

test('the form is not sent before it is complete, nor again while it is being sent', async () => {
  let finish = () => {};
  const sentValues: Values[] = [];
  const send = (values: Values) => {
    sentValues.push(values);
    return new Promise<void>((resolve) => (finish = resolve));
  };
  const { user } = renderPage(<TargetForm send={send} />);
  expect(getSaveButton().disabled).toBe(true);
  await user.type(getField('Secret'), 'key{Enter}');
  expect(sentValues).toEqual([]);
  await user.type(getField('Name'), 'Stage{Enter}');
  await expect.poll(() => getSaveButton().getAttribute('aria-busy')).toBe('true');
  await user.type(getField('Name'), '{Enter}');
  expect(sentValues).toHaveLength(1);
  finish();
  await expect.poll(() => getSaveButton().getAttribute('aria-busy')).toBeNull();
});
