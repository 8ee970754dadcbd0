/** What went wrong with the form as a whole, said where the button is. */
export function FormError({ children }: { children: string | undefined }) {
  return (
    <p role="alert" className="bg-live-soft text-live-ink rounded-md px-3 py-2 empty:hidden">
      {children}
    </p>
  );
}
