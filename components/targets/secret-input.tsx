import type { ComponentProps } from 'react';
import { Input } from '@/components/ui/input';

/** For keys: out of sight while typed, and out of the browser's store of passwords. */
export function SecretInput(props: ComponentProps<typeof Input>) {
  return <Input {...props} type="password" autoComplete="off" spellCheck={false} data-1p-ignore="" />;
}
