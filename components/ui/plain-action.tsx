import type { ComponentProps } from 'react';

const looks =
  'inline-flex h-9 items-center rounded-md bg-accent px-4 font-medium text-on-accent transition-colors hover:bg-accent-hover';

/** The primary button without the parts behind `Button`: for pages that every visitor's browser carries along. */
export function PlainButton(props: ComponentProps<'button'>) {
  return <button type="button" className={looks} {...props} />;
}

/** The same as a link; reloads the page. */
export function PlainLink({ children, ...props }: ComponentProps<'a'>) {
  return (
    <a className={looks} {...props}>
      {children}
    </a>
  );
}
