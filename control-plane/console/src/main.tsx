import { render } from 'preact';
import { startEvents } from './data/events.js';
import { followWorkspaces, seedFirstScreen } from './data/seed.js';
import { App } from './frame/app.js';
import { holdStill } from './frame/hold-still.js';
import { applyTheme } from './frame/theme.js';

applyTheme();
holdStill();
seedFirstScreen();
followWorkspaces();
startEvents();
const root = document.getElementById('console') ?? document.body.appendChild(document.createElement('div'));
root.id = 'console';
root.replaceChildren();
render(<App />, root);
