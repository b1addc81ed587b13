// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Campaign} from "../../invariant/Campaign.sol";
import {AdversaryDeploy} from "./AdversaryDeploy.sol";
import {AdversaryHandler} from "./AdversaryHandler.sol";

/// Lets an adversary with several accounts batch calls among honest makers, traders, arbitrageurs
/// and a keeper. AdversaryStrikes and AdversaryBooks check the invariants after each of his
/// strikes.
contract AdversaryInvariantsTest is Campaign, AdversaryDeploy {
    AdversaryHandler private handler;

    function setUp() external {
        _deployVenue();
        handler = new AdversaryHandler(accounts, oracle, perps, usdc, PUSHER);
        _start(address(handler), _selectors());
    }

    function _selectors() private view returns (bytes4[] memory selectors) {
        selectors = new bytes4[](12);
        selectors[0] = handler.strike.selector;
        selectors[1] = handler.strike.selector;
        selectors[2] = handler.strike.selector;
        selectors[3] = handler.strike.selector;
        selectors[4] = handler.lean.selector;
        selectors[5] = handler.lean.selector;
        selectors[6] = handler.arbitrage.selector;
        selectors[7] = handler.keep.selector;
        selectors[8] = handler.move.selector;
        selectors[9] = handler.wait_.selector;
        selectors[10] = handler.wait_.selector;
        selectors[11] = handler.fund.selector;
    }

    /// A campaign that meets nothing shows nothing.
    function test_the_random_traders_and_an_adversary_reach_every_corner() external {
        string[] memory corners = new string[](8);
        corners[0] = "quoted";
        corners[1] = "filled";
        corners[2] = "filled with others";
        corners[3] = "strike";
        corners[4] = "cornered";
        corners[5] = "all in one";
        corners[6] = "poked by the keeper";
        corners[7] = "leant on";
        string[] memory rare = new string[](3);
        rare[0] = "liquidated";
        rare[1] = "in a forced order";
        rare[2] = "liquidated by the keeper";
        _runRandomCalls(corners, rare);
    }
}
