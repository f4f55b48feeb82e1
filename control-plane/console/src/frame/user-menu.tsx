import { first } from '../data/session.js';
import { Icon } from '../parts/icon.js';
import { Menu } from '../parts/menu.js';
import { isHelpOpen } from './keys.js';
import { signOut } from './sign-out.js';
import { chooseTheme, theme, THEMES } from './theme.js';

const THEME_WORDS = { system: 'Theme of the system', light: 'Light theme', dark: 'Dark theme' } as const;

/** Who is signed in, the theme, and signing out. */
export function UserMenu({ isCompact = false }: { isCompact?: boolean }) {
  const name = first?.user.name ?? '';
  return (
    <Menu
      label={`Account of ${name}`}
      className={isCompact ? 'btn btn-plain btn-icon' : 'user-button'}
      items={[
        ...THEMES.map((each) => ({
          label: THEME_WORDS[each],
          isCurrent: theme.value === each,
          onSelect: () => chooseTheme(each),
        })),
        { label: 'Keys', startsGroup: true, onSelect: () => (isHelpOpen.value = true) },
        { label: 'API reference', href: '/swagger' },
        { label: 'Sign out', startsGroup: true, onSelect: () => void signOut(false) },
        { label: 'Sign out everywhere', onSelect: () => void signOut(true) },
      ]}
    >
      {isCompact ? (
        <Icon name="person" />
      ) : (
        <>
          <Icon name="person" />
          <span class="user-name">{name}</span>
        </>
      )}
    </Menu>
  );
}
