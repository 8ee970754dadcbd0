'use client';

import Link from 'next/link';
import { Field, Input } from '@/components/ui/form/field';
import { useReader } from './reader';

/** Field for the key of samples and requests: masked, and kept in this tab. */
export function KeyField() {
  const { key, setKey, signedIn } = useReader();
  return (
    <Field
      label="API key"
      hint={
        <>
          Used in samples and requests on these pages. Kept in this tab only.{' '}
          <Link
            href={signedIn ? '/developers/keys?new=1' : '/login?next=%2Fdevelopers%2Fkeys%3Fnew%3D1'}
            className="text-accent-ink rounded-sm underline underline-offset-4"
          >
            Create a key
          </Link>
        </>
      }
    >
      {(field) => (
        <Input
          {...field}
          type="password"
          value={key}
          placeholder="lsk_…"
          autoComplete="off"
          spellCheck={false}
          className="font-mono"
          onChange={(event) => setKey(event.target.value)}
        />
      )}
    </Field>
  );
}
