// What check_initializers.py must find: the lines that end with "twice". GCC 12.2 compiles them so that they do.
#include <memory>
#include <string>
#include <vector>

struct Origin {
  std::string text = {};
  int line = 0;
};
struct Index {
  long summary = 0;
  Origin origin = {};
  int form = 0;
};
struct Shards {
  Index index = {};
  std::vector<Origin> files = {};
  std::string path = {};
};
struct Plain {
  int a = 0;
  double b = 0;
};
struct Scored {
  Plain plain = {};
  int score = 0;
};
struct Made {
  explicit Made(std::string text) : text_(std::move(text)) {}
  std::string text_;
};
struct Holder {
  std::unique_ptr<Made> made = nullptr;
  int form = 0;
};
int form();
std::string text();

void initializers(const std::string& path, Origin origin) {
  const Index nested{.summary = 1, .origin = {.text = text(), .line = 1}, .form = form()};  // twice
  const Index empty{.summary = 1, .origin = {}, .form = form()};                            // twice
  const Index left_out{.summary = 1, .form = form()};                                       // twice
  const Index of_local{.origin = {.text = path, .line = 1}, .form = form()};                // twice
  const Shards deep{.index = {.summary = 1, .origin = Origin{}, .form = 1}, .path = path};  // twice
  const Shards before{.index = {.origin = {}, .form = form()}};                             // twice

  const Index named{.summary = 1, .origin = Origin{.text = text(), .line = 1}, .form = form()};
  const Index moved{.summary = 1, .origin = std::move(origin), .form = form()};
  const Index first{.summary = form(), .origin = {.text = text(), .line = 1}, .form = 1};
  const int computed = form();
  const Index safe{.origin = {.text = text(), .line = 1}, .form = computed};
  const Shards list{.index = Index{}, .files = {{.text = "a", .line = 1}}, .path = text()};
  const Scored trivial{.plain = {.a = 1, .b = 2}, .score = form()};
  const Holder held{.made = {}, .form = form()};
}
