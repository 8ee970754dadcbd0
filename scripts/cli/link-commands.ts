import { Argument, type Command } from 'commander';
import { createResetLink, inviteToSignUp } from '@/lib/domain/accounts';
import { email as emailSchema } from '@/lib/contract/primitives';
import { openMailer } from '@/lib/infra/mail/mailer';
import { ExpectedError } from '../service/expected-error';
import { withContext } from './open-context';

type Print = (...cells: string[]) => void;

const log = (line: string) => void process.stderr.write(`${line}\n`);

/** Commands that print one-time links for a person. */
export function addLinkCommands(program: Command, print: Print): void {
  program
    .command('account:reset-link')
    .description('print a link with which the owner of an account sets a new password: once, within one hour')
    .option('--email <address>', 'whose account')
    .addArgument(createEmailArgument())
    .action((emailArgument: string | undefined, { email = emailArgument }: EmailOption) => {
      if (email === undefined) throw new ExpectedError('--email: is required');
      return withContext(async (ctx) => print(await createResetLink(ctx, email)));
    });
  program
    .command('account:invite')
    .description('print a link with which one person signs up within seven days; mailed, if SMTP_URL is set')
    .option('--email <address>', 'only this address can sign up with it')
    .addArgument(createEmailArgument())
    .action((emailArgument: string | undefined, { email = emailArgument }: EmailOption) =>
      withContext((ctx) => printInvitation(ctx, email, print)),
    );
}

interface EmailOption {
  readonly email?: string;
}

/** The address as an argument instead of `--email`, for existing scripts. */
const createEmailArgument = () => new Argument('[email]', 'the same without --email (older form)');

async function printInvitation(
  ctx: Parameters<Parameters<typeof withContext>[0]>[0],
  emailText: string | undefined,
  print: Print,
): Promise<void> {
  const emailResult = emailText === undefined ? null : emailSchema.safeParse(emailText);
  if (emailResult && !emailResult.success) throw new ExpectedError(`${emailText}: expected an email address`);
  const { mail } = ctx.settings;
  const { url, mailed } = await inviteToSignUp(
    ctx,
    emailResult?.data ?? null,
    mail ? openMailer(mail, ctx.log) : null,
  );
  print(url);
  if (emailResult && mail) log(mailed ? 'The link was mailed.' : 'The mail server did not accept the mail.');
}
