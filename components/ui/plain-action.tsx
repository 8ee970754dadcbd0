import type { ComponentProps } from 'react';

const buttonClasses =
  'inline-flex h-9 items-center rounded-md bg-accent px-4 font-medium text-on-accent transition-colors hover:bg-accent-hover';

/** The primary button without the dependencies of `Button`, for viewer pages. */
export function PlainButton(props: ComponentProps<'button'>) {
  return <button type="button" className={buttonClasses} {...props} />;
}

/** A link styled as the primary button; loads the page without the router. */
export function PlainLink({ children, ...props }: ComponentProps<'a'>) {
  return (
    <a className={buttonClasses} {...props}>
      {children}
    </a>
  );
}
