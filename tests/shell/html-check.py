"""What is wrong with a page: html-check.py FILE. Nothing is printed of one that is well nested, links to what is there, and loads nothing."""
import base64, hashlib, re, sys
from html.parser import HTMLParser

VOID = {"meta", "br", "img", "link", "input", "hr"}


class Page(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.ids, self.links, self.problems, self.policy = [], set(), [], [], ""
        self.texts = {"style": "", "script": ""}
        self.heading = 0

    def handle_startendtag(self, tag, attributes):
        self.check(tag, dict(attributes))

    def handle_starttag(self, tag, attributes):
        self.check(tag, dict(attributes))
        if tag not in VOID:
            self.open.append(tag)

    def check(self, tag, attributes):
        for name, value in attributes.items():
            if name.startswith("on") or name in ("style", "src", "srcset", "action", "xlink:href"):
                self.problems.append(f"<{tag}> has {name}={value!r}")
        if tag in ("link", "iframe", "object", "embed", "base", "form", "img"):
            self.problems.append(f"there is a <{tag}>")
        if "id" in attributes:
            if attributes["id"] in self.ids:
                self.problems.append(f"two have the id {attributes['id']}")
            self.ids.add(attributes["id"])
        if "href" in attributes:
            self.links.append(attributes["href"])
        if attributes.get("http-equiv") == "Content-Security-Policy":
            self.policy = attributes["content"]
        if re.fullmatch("h[1-6]", tag):
            if int(tag[1]) > self.heading + 1:
                self.problems.append(f"<{tag}> after h{self.heading}")
            self.heading = int(tag[1])

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"</{tag}> at {self.getpos()} closes something else")

    def handle_data(self, data):
        if self.open and self.open[-1] in self.texts:
            self.texts[self.open[-1]] += data


page = Page()
page.feed(open(sys.argv[1], encoding="utf-8").read())
page.close()
page.problems += [f"<{tag}> is not closed" for tag in page.open]
for link in page.links:
    if link.startswith("#"):
        if link[1:] not in page.ids:
            page.problems.append(f"nothing has the id of the link {link}")
    elif not link.startswith("data:") and (":" in link or link.startswith("//")):
        page.problems.append(f"it links to {link}")
if not page.policy.startswith("default-src 'none'; "):
    page.problems.append(f"the policy is {page.policy!r}")
for tag, text in page.texts.items():
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    if f"{tag}-src 'sha256-{digest}'" not in page.policy:
        page.problems.append(f"the policy does not have the hash of <{tag}>")
print("\n".join(page.problems), end="\n" if page.problems else "")
