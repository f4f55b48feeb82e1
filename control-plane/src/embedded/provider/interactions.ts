import { createHmac } from 'node:crypto';
import { isSameSecret } from '../../platform/identity/is-same-secret.js';
import type { Context } from 'koa';
import type Provider from 'oidc-provider';
import type { InteractionResults } from 'oidc-provider';
import type { Clock } from '@watchpost/shared/clock';
import { newId } from '@watchpost/shared/id';
import type { Database } from '../../platform/db/database.js';
import { sendConsentPage, sendProblemPage, sendSignInPage } from './interaction-pages.js';
import { hashPassword, verifyPassword } from './password-hash.js';
import { providerAccountStore } from './provider-store.js';
import { SignInThrottle } from './sign-in-throttle.js';
import { Fault } from '@watchpost/shared/fault';
import { readBody } from '../../platform/http/reading/read-body.js';

const TOO_MANY = 'Too many tries; wait a minute and try again.';
const LEAST_PASSWORD = 8;

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

export interface InteractionDeps {
  provider: Provider;
  db: Database;
  clock: Clock;
  /** Signs the token of the forms. */
  formKey: string;
  isInvited(email: string): Promise<boolean>;
}

/**
 * Sign-in and consent at `/oauth/interaction/{uid}`: GET shows the page, POST answers it. A post counts only
 * with the interaction's own cookie (signed, SameSite=Lax, for this path) and the token of the form.
 */
export function createInteractions(deps: InteractionDeps): (ctx: Context) => Promise<void> {
  const { provider, db, clock, formKey } = deps;
  const throttle = new SignInThrottle();
  // Verified where the email is unknown, so that the answer takes as long: made once, on the first such try.
  let decoy: Promise<string> | undefined;

  const csrfOf = (interaction: Interaction): string =>
    createHmac('sha256', formKey).update(`${interaction.uid}\n${interaction.prompt.name}`).digest('base64url');

  async function show(
    ctx: Context,
    interaction: Interaction,
    message?: string,
    email = '',
    status = 200,
  ): Promise<void> {
    const client = await provider.Client.find(String(interaction.params['client_id']));
    const clientName = nameOf(client);
    const csrf = csrfOf(interaction);
    if (interaction.prompt.name === 'login') {
      const hint = interaction.params['login_hint'];
      return sendSignInPage(
        ctx,
        { csrf, clientName, email: email || (typeof hint === 'string' ? hint : ''), message },
        status,
      );
    }
    const account = await db.read((tx) => providerAccountStore.find(tx, interaction.session?.accountId ?? ''));
    const redirect = interaction.params['redirect_uri'];
    sendConsentPage(ctx, {
      csrf,
      clientName,
      redirectHost: typeof redirect === 'string' ? new URL(redirect).host : null,
      account: account?.email ?? '',
      scopes: missingScopes(interaction),
    });
  }

  async function signIn(ctx: Context, interaction: Interaction, form: URLSearchParams): Promise<void> {
    const email = fieldOf(form, 'email');
    if (!throttle.admit(email, clock.now())) return show(ctx, interaction, TOO_MANY, email, 429);
    const account = await db.read((tx) => providerAccountStore.findByEmail(tx, email));
    decoy ??= hashPassword('nobody has this password');
    const right = await verifyPassword(form.get('password') ?? '', account?.passwordHash ?? (await decoy));
    if (!account || !right) return show(ctx, interaction, 'Email or password is wrong.', email, 401);
    throttle.forget(email);
    await finish(ctx, { login: { accountId: account.id, remember: true } });
  }

  /** Makes an account for somebody who is invited, and reads the mailbox of this machine. */
  async function makeAccount(ctx: Context, interaction: Interaction, form: URLSearchParams): Promise<void> {
    const [email, name, password] = [fieldOf(form, 'email'), fieldOf(form, 'name'), form.get('new-password') ?? ''];
    const refuse = (status: number, message: string) => show(ctx, interaction, message, email, status);
    if (!throttle.admit(email, clock.now())) return refuse(429, TOO_MANY);
    if (!(await deps.isInvited(email)))
      return refuse(403, `${email} is not invited. An Admin of a workspace invites it in Settings, Members.`);
    if (password.length < LEAST_PASSWORD)
      return refuse(400, `The password must have at least ${LEAST_PASSWORD} characters.`);
    const nowMs = clock.now();
    const account = { id: newId(nowMs), email, name: name || email, passwordHash: await hashPassword(password) };
    const isMade = await db.read((tx) => providerAccountStore.insert(tx, account, nowMs));
    if (!isMade) return refuse(409, `${email} has an account already: sign in with its password.`);
    await finish(ctx, { login: { accountId: account.id, remember: true } });
  }

  async function allow(ctx: Context, interaction: Interaction): Promise<void> {
    const { grantId, params, session } = interaction;
    const existing = grantId ? await provider.Grant.find(grantId) : undefined;
    const grant =
      existing ?? new provider.Grant({ accountId: session!.accountId, clientId: String(params['client_id']) });
    const { missingOIDCScope, missingOIDCClaims, missingResourceScopes } = detailsOf(interaction);
    if (missingOIDCScope) grant.addOIDCScope(missingOIDCScope.join(' '));
    if (missingOIDCClaims) grant.addOIDCClaims(missingOIDCClaims);
    for (const [resource, scopes] of Object.entries(missingResourceScopes ?? {}))
      grant.addResourceScope(resource, scopes.join(' '));
    await finish(ctx, { consent: { grantId: await grant.save() } });
  }

  async function finish(ctx: Context, result: InteractionResults): Promise<void> {
    const returnTo = await provider.interactionResult(ctx.req, ctx.res, result, {
      mergeWithLastSubmission: !('error' in result),
    });
    ctx.set('Cache-Control', 'no-store');
    ctx.redirect(returnTo);
    ctx.status = 303;
  }

  return async (ctx) => {
    let interaction: Interaction;
    try {
      interaction = await provider.interactionDetails(ctx.req, ctx.res);
    } catch {
      return sendProblemPage(
        ctx,
        400,
        'This sign-in has expired, or cookies are off. Go back to the program that sent you here and start again.',
      );
    }
    if (ctx.path !== `/oauth/interaction/${interaction.uid}`)
      return sendProblemPage(ctx, 404, 'There is no such sign-in.');
    if (ctx.method === 'GET') return show(ctx, interaction);
    if (ctx.method !== 'POST') {
      ctx.set('Allow', 'GET, POST');
      return sendProblemPage(ctx, 405, 'This page takes GET and POST.');
    }
    const form = await readForm(ctx);
    if (!form) return sendProblemPage(ctx, 400, 'This form cannot be read.');
    if (!isSameSecret(form.get('csrf') ?? '', csrfOf(interaction)))
      return sendProblemPage(ctx, 403, 'This form is out of date. Go back, load the page again and send it once more.');
    const action = form.get('action');
    if (action === 'abort') return finish(ctx, { error: 'access_denied', error_description: 'The user refused.' });
    if (action === 'sign-in' && interaction.prompt.name === 'login') return signIn(ctx, interaction, form);
    if (action === 'make-account' && interaction.prompt.name === 'login') return makeAccount(ctx, interaction, form);
    if (action === 'allow' && interaction.prompt.name === 'consent') return allow(ctx, interaction);
    return sendProblemPage(ctx, 400, 'This form cannot be read.');
  };
}

/** The name that a program gives itself; of one that is known by a document also where that is, which the program cannot choose freely. */
function nameOf(client: Awaited<ReturnType<Provider['Client']['find']>>): string {
  if (!client) return 'a program';
  const { clientName = client.clientId, clientId } = client;
  return clientId.startsWith('https://') ? `${clientName} (${new URL(clientId).host})` : clientName;
}

/** @returns what was typed, as far as it can be stored */
function fieldOf(form: URLSearchParams, name: string): string {
  return (form.get(name) ?? '').trim().slice(0, 320).replaceAll('\0', '');
}

interface ConsentDetails {
  missingOIDCScope?: string[];
  missingOIDCClaims?: string[];
  missingResourceScopes?: Record<string, string[]>;
}

function detailsOf(interaction: Interaction): ConsentDetails {
  return interaction.prompt.details;
}

function missingScopes(interaction: Interaction): string[] {
  const { missingOIDCScope = [], missingResourceScopes = {} } = detailsOf(interaction);
  return [...new Set([...missingOIDCScope, ...Object.values(missingResourceScopes).flat()])];
}

const MAX_FORM_BYTES = 16_384;

/** The fields of a posted HTML form; null where it is none, or too large. */
async function readForm(ctx: Context): Promise<URLSearchParams | null> {
  if (!ctx.is('application/x-www-form-urlencoded')) return null;
  try {
    const bytes = await readBody(ctx.req, () => ctx.set('Connection', 'close'), MAX_FORM_BYTES);
    return new URLSearchParams(bytes.toString('utf8'));
  } catch (error) {
    if (error instanceof Fault) return null;
    throw error;
  }
}
