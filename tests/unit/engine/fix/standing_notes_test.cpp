// The file of what people said, as a prompt shows it.
#include "engine/fix/standing_notes.hpp"

#include <gtest/gtest.h>

namespace emend {
namespace {

TEST(StandingNotes, ShowWhatIsWrittenAndNotWhatIsForTheFileOnly) {
  EXPECT_EQ(notes_for_prompt("<!-- head\n  goes on -->\n- one\nby hand\n\n<!-- comments up to 12 -->\n", 100),
            "- one\nby hand\n");
  EXPECT_EQ(notes_for_prompt("", 100), "");
}

TEST(StandingNotes, TheNewestOnesFit) {
  EXPECT_EQ(notes_for_prompt("- the first one\n- second\n- third\n", 20), "- second\n- third\n");
}

} // namespace
} // namespace emend
