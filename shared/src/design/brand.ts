/** The sign of Watchpost: a lookout that sees. SVG of 24 × 24 in `currentColor`, for use beside its name. */
export const BRAND_SIGN =
  '<svg class="sign" viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"><path d="M3.5 12a8.5 8.5 0 0 1 17 0"/><path d="M7.5 12a4.5 4.5 0 0 1 9 0"/><circle cx="12" cy="12" r="1.6" fill="currentColor" stroke="none"/><path d="M12 15.5V21M8 21h8"/></svg>';
