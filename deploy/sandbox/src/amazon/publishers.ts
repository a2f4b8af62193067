const NAMES = [
  "Google Ads",
  "Facebook Ads",
  "Microsoft Ads",
  "Pinterest Ads",
  "Snapchat Ads",
  "Twitter Ads",
  "LinkedIn Ads",
  "Youtube",
  "Display - Other",
  "Video - Other",
  "Blogpost - Other",
  "Email - Other",
  "TikTok",
  "Reddit",
  "Hulu",
  "Verizon Media",
  "BuzzFeed",
  "Pandora",
  "Spotify",
  "ESPN",
  "Slick Deals",
  "Fox",
  "ABC",
  "NBC",
  "CBS",
  "BET",
  "Conde Naste",
  "Hearst Digital",
  "Meredith Corporation",
];

/** Where traffic can come from; the first four fill in their ids by macros of their own. */
export const PUBLISHERS = NAMES.map((name, index) => ({
  name,
  id: String(index + 1),
  macroEnabled: index < 4,
}));

/** A publisher's name in reports. */
export function publisherName(id: string): string {
  return PUBLISHERS.find((publisher) => publisher.id === id)?.name ?? id;
}
